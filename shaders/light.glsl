// One key light with a shadow map, a hemisphere fill, a weak light from the side and one at the eye: what faces away from
// the key still shows its folds.
// Everything here is linear; encode() makes it sRGB at the very end.
uniform vec3 uToLight;            // unit, world
uniform vec3 uEye;                // m, world
uniform mat4 uShadowMatrix;       // world -> shadow map, 0..1
uniform sampler2DShadow uShadowMap;
uniform float uShadowTexel;       // 1 / side of the map
uniform float uShadowStrength;    // 0 = no shadows
uniform sampler2D uOpen;          // how much of the sky is seen, over the viewport
uniform vec4 uOpenSize;           // px: lower left corner of the viewport, and its size
uniform float uOpenStrength;      // 0 = all of it is
uniform vec3 uBounce;             // linear

vec3 decode(vec3 c) { return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878); }
// sRGB within about 3 of 255 steps: on software GL three roots are cheaper than the exact powers.
vec3 encode(vec3 c) { return 1.13 * sqrt(c) - 0.13 * c; }

// Four bilinear comparisons in a rotated square: a penumbra of about four texels.
float keyVisibility(vec4 shadowPosition) {
    vec3 p = shadowPosition.xyz;
    vec4 taps = vec4(texture(uShadowMap, p + vec3(vec2(-1.6, -0.6) * uShadowTexel, 0.0)),
                     texture(uShadowMap, p + vec3(vec2(0.6, -1.6) * uShadowTexel, 0.0)),
                     texture(uShadowMap, p + vec3(vec2(1.6, 0.6) * uShadowTexel, 0.0)),
                     texture(uShadowMap, p + vec3(vec2(-0.6, 1.6) * uShadowTexel, 0.0)));
    return 1.0 - uShadowStrength * (1.0 - dot(taps, vec4(0.25)));
}

float openness() { return mix(1.0, texture(uOpen, (gl_FragCoord.xy - uOpenSize.xy) / uOpenSize.zw).r, uOpenStrength); }

// What bright surroundings send into the shade, most of it from below.
vec3 bounce(vec3 n) { return uBounce * (0.6 - 0.4 * n.y); }

vec3 fillLight(vec3 n) { return mix(vec3(0.15, 0.155, 0.17), vec3(0.34, 0.36, 0.39), 0.5 + 0.5 * n.y) + bounce(n); }

// From the side, level, a quarter turn from the key: without it every upright fold in the shade has the same grey.
float sideLight(vec3 n) {
    vec3 toSide = normalize(vec3(uToLight.z, 0.3, -uToLight.x));
    float across = dot(n, toSide);
    return 0.20 * max(across, 0.0) + 0.05 * max(-across, 0.0);
}
