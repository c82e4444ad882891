#version 410 core
// The mean of 2 x 2 neighbours of about the same distance: one period of the directions.
#include "view_depth.glsl"
uniform sampler2D uSource;
in vec2 vUv;
out float outOpen;

void main() {
    float depth = texture(uDepth, vUv).r, here = distanceOf(depth);
    if (depth >= 1.0) {
        outOpen = 1.0;
        return;
    }
    float sum = 0.0, weights = 0.0;
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 2; ++x) {
            vec2 at = vUv + (vec2(x, y) - 0.5) * uTexel;
            float weight = max(1.0 - abs(distanceOf(texture(uDepth, at).r) - here) / (0.5 * uReach), 0.001);
            sum += weight * texture(uSource, at).r;
            weights += weight;
        }
    outOpen = sum / weights;
}
