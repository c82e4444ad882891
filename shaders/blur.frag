#version 410 core
// Half of a separable Gaussian of 13 texels in seven bilinear taps.
uniform sampler2D uSource;
uniform vec2 uStep;     // one texel along the axis
in vec2 vUv;
out float outCover;

void main() {
    float sum = 0.1592 * texture(uSource, vUv).r;
    sum += 0.2580 * (texture(uSource, vUv + 1.4583 * uStep).r + texture(uSource, vUv - 1.4583 * uStep).r);
    sum += 0.1230 * (texture(uSource, vUv + 3.4038 * uStep).r + texture(uSource, vUv - 3.4038 * uStep).r);
    sum += 0.0394 * (texture(uSource, vUv + 5.3509 * uStep).r + texture(uSource, vUv - 5.3509 * uStep).r);
    outCover = sum;
}
