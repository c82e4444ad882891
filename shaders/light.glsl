// One key light with a shadow map, a hemisphere fill and a weak light at the eye: what faces away still shows its folds.
// Everything here is linear; encode() makes it sRGB at the very end.
uniform vec3 uToLight;            // unit, world
uniform vec3 uEye;                // m, world
uniform mat4 uShadowMatrix;       // world -> shadow map, 0..1
uniform sampler2DShadow uShadowMap;
uniform float uShadowTexel;       // 1 / side of the map
uniform float uShadowStrength;    // 0 = no shadows

vec3 decode(vec3 c) { return c * (c * (c * 0.305306011 + 0.682171111) + 0.012522878); }
vec3 encode(vec3 c) { return max(1.055 * pow(max(c, vec3(0.0)), vec3(1.0 / 2.4)) - 0.055, vec3(0.0)); }

// Half a step of 8 bits of ordered noise: dark gradients do not band.
float dither(vec2 pixel) { return (fract(52.9829189 * fract(dot(pixel, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0; }

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
