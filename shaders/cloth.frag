#version 410 core
#include "light.glsl"
uniform vec3 uDye;         // linear, of the fabric
uniform vec3 uSecond;      // linear: stripes, the weft of a twill, the other checks
uniform vec4 uWeave;       // threads to a check, depth between them, share of stripes, share of a twill
uniform float uCheckShare; // of the second colour in every other check
uniform vec4 uSheen;       // towards the edge; gloss of the key light and its exponent; how far light goes round an edge
uniform vec3 uDimColor;    // linear: the cloth under an overlay of springs
uniform float uDim;        // 0..1
uniform float uAlpha;      // 1, or that of a ghost
uniform bool uColored;     // vData counts
uniform bool uCells;         // uCellColors counts
uniform samplerBuffer uCellColors;  // per particle: sRGB; alpha 0 = none, 1/2 = with a seam
uniform isamplerBuffer uTriangles;  // per triangle: its corners
uniform samplerBuffer uChecks;      // per particle: its vCheck
uniform bool uFaceIsFront;  // the side of the counter-clockwise triangles is the cloth's face

in vec3 vToEye;
in vec3 vNormal;
in vec2 vCheck;
in vec4 vData;
in vec4 vShadow;
in float vFromRim;
flat in uint vCloth;
in float vCover;
flat in int vTriangle;  // of an outline, from 1; 0: the primitive says which
out vec4 outColor;

// Checkerboard, filtered over the pixel's footprint w (box filter in closed form): 0..1.
float checks(vec2 p, vec2 w) {
    vec2 i = 2.0 * (abs(fract((p - 0.5 * w) * 0.5) - 0.5) - abs(fract((p + 0.5 * w) * 0.5) - 0.5)) / w;
    return 0.5 - 0.5 * i.x * i.y;
}

// A plain weave: where warp and weft cross, one lies on top, in turns, round across itself and lower towards both ends. Warp
// and weft take the light a little differently. Returns how dark a place is; it fades into its mean while a thread still has
// several pixels: what is finer would be dots that come and go over the folds.
float weave(vec2 p, vec2 w) {
    float seen = 1.0 - smoothstep(0.14, 0.30, max(w.x, w.y) * uWeave.x);
    const float mean = 0.37;
    if (uWeave.x <= 0.0) return 0.0;
    if (seen <= 0.0) return mean;
    vec2 t = p * uWeave.x, cell = floor(t), d = 2.0 * abs(t - cell - 0.5);   // 0 in the middle of a thread
    bool warp = mod(cell.x + cell.y, 2.0) < 1.0;
    float across = warp ? d.x : d.y, along = warp ? d.y : d.x;
    float uneven = 0.2 * fract(0.618034 * (warp ? cell.x : cell.y)) - 0.1;   // no two neighbours are alike
    return mix(mean, (warp ? 0.0 : 0.16) + uneven + 0.55 * across * across * across + 0.45 * along * along, seen);
}

// Every third crossing shows the weft, one farther in each row: a diagonal, soft over a pixel's footprint.
float twill(vec2 p, vec2 w) {
    vec2 t = p * uWeave.x;
    float wide = max(w.x, w.y) * uWeave.x, soft = 0.4 * wide;
    float seen = 1.0 - smoothstep(0.14, 0.4, wide);
    float phase = fract((t.x + t.y) / 3.0);
    return mix(1.0 / 3.0, 1.0 - smoothstep(0.26 - soft, 0.42 + soft, abs(phase - 0.5) * 1.5), seen);
}

// A thin stripe every two checks both ways: shear is seen by their angle.
float stripes(vec2 p, vec2 w) {
    vec2 d = abs(fract(p * 0.5) - 0.5) * 2.0;        // checks from the stripe
    const float width = 0.09;
    vec2 soft = max(w, vec2(0.015));
    vec2 s = (1.0 - smoothstep(vec2(width) - soft, vec2(width) + soft, d)) * min(vec2(1.0), width / soft);
    return 0.5 * (s.x + s.y);
}

// Sheets that lie on each other have tones of their own.
vec3 ofCloth(vec3 color) {
    uint k = vCloth % 4u;
    if (k == 1u) return mix(color, vec3(0.85, 0.80, 0.70), 0.35);
    if (k == 2u) return color * vec3(0.55, 0.60, 0.72);
    if (k == 3u) return mix(color.brg, color, 0.45);
    return color;
}

vec3 fabric(vec2 w) {
    vec3 base = ofCloth(uDye);
    vec3 color = mix(base, uSecond, uCheckShare * checks(vCheck, w));
    color = mix(color, uSecond, uWeave.z * stripes(vCheck, w));
    if (uWeave.w > 0.0) color = mix(color, uSecond, uWeave.w * twill(vCheck, w));
    color *= 1.0 - uWeave.y * weave(vCheck, w);
    // A hem: turned over at the rim, with a seam along it.
    float wide = max(w.x, w.y), soft = max(wide, 0.02);
    color *= mix(1.0, 0.84, 1.0 - smoothstep(0.24 - soft, 0.24 + soft, vFromRim));
    color *= 1.0 - 0.25 * (1.0 - smoothstep(0.0, 0.03 + soft, abs(vFromRim - 0.24)));
    return color;
}

// The share of the way from a corner to another at which the seam between their cells is crossed: 0 on it.
float fromSeam(vec2 own, vec2 other) {
    vec2 edge = other - own;
    return dot(own + 0.5 * edge - vCheck, edge) / max(dot(edge, edge), 1e-12);
}

// The colour of the corner nearest to here on the texture: components have edges, not gradients. On a grid the cells are
// the squares around the particles, whichever way the diagonals of the triangles run.
vec3 cellColor(vec3 albedo, vec2 w) {
    int triangle = clamp(vTriangle > 0 ? vTriangle - 1 : gl_PrimitiveID, 0, textureSize(uTriangles) - 1);
    ivec3 corners = texelFetch(uTriangles, triangle).xyz;
    vec2 at[3] = vec2[3](texelFetch(uChecks, corners.x).xy, texelFetch(uChecks, corners.y).xy, texelFetch(uChecks, corners.z).xy);
    int own = 0;
    for (int k = 1; k < 3; ++k)
        if (distance(at[k], vCheck) < distance(at[own], vCheck)) own = k;
    vec2 a = at[(own + 1) % 3], b = at[(own + 2) % 3];
    vec4 cell = texelFetch(uCellColors, corners[own]);
    float width = max(w.x, w.y) / max(min(distance(at[own], a), distance(at[own], b)), 1e-6);
    if (cell.a == 0.0) return albedo;
    float inside = min(fromSeam(at[own], a), fromSeam(at[own], b));
    float seam = cell.a > 0.75 ? 0.0 : (1.0 - smoothstep(0.0, max(0.05, 1.2 * width), inside)) * (1.0 - smoothstep(0.12, 0.4, width));
    return decode(cell.rgb) * (1.0 - 0.45 * seam);
}

// s to the power of uSheen.z, nearly (Schlick 1994): a root or a logarithm costs a millisecond on software GL.
float gloss(float s) { return s / (uSheen.z * (1.0 - s) + s); }

void main() {
    vec2 w = max(fwidth(vCheck), vec2(1e-5));
    vec3 n = normalize(vNormal);
    if (!gl_FrontFacing) n = -n;
    // What is seen faces the eye, also where the normals of a crumple say otherwise.
    float away = min(dot(n, vToEye), 0.0);
    if (away < 0.0) n = normalize(n - 1.05 * away * vToEye);
    vec3 albedo = fabric(w);
    if (gl_FrontFacing != uFaceIsFront) {
        float grey = dot(albedo, vec3(0.25, 0.6, 0.15));
        albedo = mix(albedo, vec3(grey), 0.30) * 0.86;
    }
    albedo = mix(albedo, uDimColor, uDim);
    if (uCells) albedo = cellColor(albedo, w);
    if (uColored) albedo = mix(albedo, decode(vData.rgb), vData.a);

    float nl = dot(n, uToLight);
    float visibility = nl > -uSheen.w ? keyVisibility(vShadow) : 1.0;
    float key = max((nl + uSheen.w) / (1.0 + uSheen.w), 0.0);
    float through = 0.14 * max(-nl, 0.0);                      // light that comes through the cloth
    float facing = max(dot(n, vToEye), 0.0), graze = (1.0 - facing) * (1.0 - facing) * (1.0 - facing);
    float open = openness();
    vec3 fill = mix(vec3(0.115, 0.11, 0.105), vec3(0.25, 0.29, 0.36), 0.5 + 0.5 * n.y) + vec3(0.05) * facing + 0.45 * sideLight(n) + bounce(n);
    vec3 light = vec3(1.0, 0.955, 0.87) * (0.98 * key * visibility * mix(0.5, 1.0, open) + through) + fill * open * open;
    float sheen = (uSheen.x * graze * (0.5 + 0.5 * n.y) + uSheen.y * gloss(max(dot(n, normalize(uToLight + vToEye)), 0.0)) * visibility) * open;
    vec3 color = albedo * light + sheen * mix(albedo, vec3(1.0), 0.3);
    outColor = vec4(encode(color / (1.0 + 0.16 * color * color)), uAlpha * vCover);
}
