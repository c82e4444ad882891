#version 410 core
#include "view_depth.glsl"
in vec2 vUv;
out float outOpen;

const int kTaps = 7;
const float kTurns = 4.0;   // of the spiral: no two taps in line

// The shorter of the two differences: one of them crosses an edge at times.
vec3 shorter(vec3 a, vec3 b) { return dot(a, a) < dot(b, b) ? a : b; }

void main() {
    if (texture(uDepth, vUv).r >= 1.0) {
        outOpen = 1.0;
        return;
    }
    vec3 p = placeAt(vUv);
    vec2 dx = vec2(uTexel.x, 0.0), dy = vec2(0.0, uTexel.y);
    vec3 across = shorter(placeAt(vUv + dx) - p, p - placeAt(vUv - dx));
    vec3 up = shorter(placeAt(vUv + dy) - p, p - placeAt(vUv - dy));
    vec3 n = normalize(cross(across, up));
    float radius = clamp(uReach * uLens.y / (-2.0 * p.z), 3.0 * uTexel.y, 0.15);   // of the height of the picture
    // Four neighbours look in four directions; the blur has the mean of them.
    ivec2 place = ivec2(gl_FragCoord.xy) & 1;
    float turn = float(place.x + 2 * place.y) * (6.2831853 / 4.0 / float(kTaps) * kTurns);
    float sum = 0.0;
    for (int k = 0; k < kTaps; ++k) {
        float share = (float(k) + 0.5) / float(kTaps);
        float angle = share * kTurns * 6.2831853 + turn;
        vec2 at = vUv + share * radius * vec2(cos(angle) * uTexel.x / uTexel.y, sin(angle));
        vec3 v = placeAt(at) - p;
        float vv = dot(v, v), near = max(1.0 - vv / (uReach * uReach), 0.0);
        sum += near * near * near * max(dot(v, n) + 0.003 * p.z, 0.0) / (sqrt(vv) + 0.02 * uReach);
    }
    outOpen = max(1.0 - 2.6 * sum / float(kTaps), 0.3);   // light goes round corners
}
