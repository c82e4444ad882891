#version 410 core
// The mean of 4 x 4 neighbours of about the same distance: one period of the noise.
#include "view_depth.glsl"
uniform sampler2D uSource;
in vec2 vUv;
out float outOpen;

void main() {
    float here = distanceOf(texture(uDepth, vUv).r);
    float sum = 0.0, weights = 0.0;
    for (int y = -2; y < 2; ++y)
        for (int x = -2; x < 2; ++x) {
            vec2 at = vUv + (vec2(x, y) + 0.5) * uTexel;
            float weight = max(1.0 - abs(distanceOf(texture(uDepth, at).r) - here) / (0.5 * uReach), 0.001);
            sum += weight * texture(uSource, at).r;
            weights += weight;
        }
    outOpen = sum / weights;
}
