#version 410 core
uniform vec3 uTop;       // sRGB
uniform vec3 uBottom;
in vec2 vUv;
out vec4 outColor;

void main() {
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    outColor = vec4(mix(uBottom, uTop, vUv.y) + noise / 255.0, 1.0);
}
