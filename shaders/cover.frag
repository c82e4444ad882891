#version 410 core
// How much of a texel of the small map is hidden from the light: the shadow that falls on what lies below everything.
uniform sampler2D uDepth;
in vec2 vUv;
out float outCover;

void main() {
    vec4 a = step(textureGatherOffset(uDepth, vUv, ivec2(-1, -1)), vec4(0.9999));
    vec4 b = step(textureGatherOffset(uDepth, vUv, ivec2(1, -1)), vec4(0.9999));
    vec4 c = step(textureGatherOffset(uDepth, vUv, ivec2(-1, 1)), vec4(0.9999));
    vec4 d = step(textureGatherOffset(uDepth, vUv, ivec2(1, 1)), vec4(0.9999));
    outCover = dot(a + b + c + d, vec4(1.0 / 16.0));
}
