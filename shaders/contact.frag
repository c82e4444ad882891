#version 410 core
// How near the lowest surface over the ground is, as seen from below: 1 where it touches, 0 where nothing is near.
uniform sampler2D uDepth;
in vec2 vUv;
out float outCover;

void main() {
    vec4 a = 1.0 - textureGatherOffset(uDepth, vUv, ivec2(-1, -1));
    vec4 b = 1.0 - textureGatherOffset(uDepth, vUv, ivec2(1, -1));
    vec4 c = 1.0 - textureGatherOffset(uDepth, vUv, ivec2(-1, 1));
    vec4 d = 1.0 - textureGatherOffset(uDepth, vUv, ivec2(1, 1));
    outCover = dot(a * a + b * b + c * c + d * d, vec4(1.0 / 16.0));
}
