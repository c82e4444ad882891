// One key light with a shadow map, a hemisphere fill and a weak light at the eye: what faces away still shows its folds.
// Everything here is linear; encode() makes it sRGB at the very end.
uniform vec3 uToLight;            // unit, world
uniform vec3 uEye;                // m, world
uniform mat4 uShadowMatrix;       // world -> shadow map, 0..1
uniform sampler2DShadow uShadowMap;
uniform float uShadowTexel;       // 1 / side of the map
uniform float uShadowStrength;    // 0 = no shadows

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

vec3 fillLight(vec3 n) { return mix(vec3(0.17, 0.175, 0.19), vec3(0.36, 0.38, 0.41), 0.5 + 0.5 * n.y); }
