#version 410 core
#include "light.glsl"
uniform vec3 uAlbedo;      // linear
uniform float uGround;     // m, height of the ground: darkens what is close to it

in vec3 vPosition;
in vec3 vNormal;
in vec4 vShadow;
in float vCover;
out vec4 outColor;

void main() {
    vec3 n = normalize(vNormal);
    float nl = dot(n, uToLight);
    float key = max(nl, 0.0) * (nl > 0.0 ? keyVisibility(vShadow) : 1.0);
    float eye = 0.12 * max(dot(n, normalize(uEye - vPosition)), 0.0) + 0.6 * sideLight(n);
    float near = clamp((vPosition.y - uGround) * 5.0, 0.0, 1.0);
    float occlusion = mix(0.55 + 0.45 * near, 1.0, 0.5 + 0.5 * n.y);
    outColor = vec4(encode(uAlbedo * (0.74 * key + (fillLight(n) + eye) * occlusion * openness())), vCover);
}
