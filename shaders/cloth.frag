#version 410 core
#include "light.glsl"
uniform vec3 uCheckA;      // linear
uniform vec3 uCheckB;
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
out vec4 outColor;

// Checkerboard, filtered over the pixel's footprint w (box filter in closed form): 0..1.
float checks(vec2 p, vec2 w) {
    vec2 i = 2.0 * (abs(fract((p - 0.5 * w) * 0.5) - 0.5) - abs(fract((p + 0.5 * w) * 0.5) - 0.5)) / w;
    return 0.5 - 0.5 * i.x * i.y;
}

// Thin dark threads, four to a check; they vanish before they are finer than the pixels.
float weave(vec2 p, vec2 w) {
    vec2 t = p * 4.0, tw = w * 4.0;
    vec2 d = abs(fract(t) - 0.5);             // 0.5 on a thread
    vec2 line = smoothstep(0.5 - max(vec2(0.07), tw * 0.8), vec2(0.5), d) * (1.0 - smoothstep(0.15, 0.5, tw));
    return max(line.x, line.y);
}

// The share of the way from a corner to another at which the seam between their cells is crossed: 0 on it.
float fromSeam(vec2 own, vec2 other) {
    vec2 edge = other - own;
    return dot(own + 0.5 * edge - vCheck, edge) / max(dot(edge, edge), 1e-12);
}

// The colour of the corner nearest to here on the texture: components have edges, not gradients. On a grid the cells are
// the squares around the particles, whichever way the diagonals of the triangles run.
vec3 cellColor(vec3 albedo, vec2 w) {
    int triangle = clamp(gl_PrimitiveID, 0, textureSize(uTriangles) - 1);
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

void main() {
    vec2 w = max(fwidth(vCheck), vec2(1e-5));
    vec3 albedo = mix(uCheckA, uCheckB, checks(vCheck, w)) * (1.0 - 0.09 * weave(vCheck, w));
    vec3 n = normalize(vNormal);
    if (!gl_FrontFacing) n = -n;
    if (gl_FrontFacing != uFaceIsFront) {
        float grey = dot(albedo, vec3(0.25, 0.6, 0.15));
        albedo = mix(albedo, vec3(grey), 0.30) * 0.86;
    }
    albedo = mix(albedo, uDimColor, uDim);
    if (uCells) albedo = cellColor(albedo, w);
    if (uColored) albedo = mix(albedo, decode(vData.rgb), vData.a);

    float nl = dot(n, uToLight);
    float key = max(nl, 0.0);
    float visibility = 1.0;
    if (nl > 0.0) visibility = keyVisibility(vShadow);
    float through = 0.10 * max(-nl, 0.0);                      // light that comes through the cloth
    float facing = max(dot(n, vToEye), 0.0), edge = (1.0 - facing) * (1.0 - facing);
    float rim = 0.16 * edge * edge * (0.4 + 0.6 * max(n.y, 0.0));  // the back of a fold stands out from what is behind it
    vec3 light = vec3(1.0, 0.985, 0.955) * (0.76 * key * visibility + through) + fillLight(n) + sideLight(n) + 0.10 * facing + rim;
    outColor = vec4(encode(albedo * light), uAlpha);
}
