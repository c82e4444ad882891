#version 410 core
in vec4 vColor;
noperspective in vec2 vPixel;
flat in vec2 vStyle;
out vec4 outColor;

void main() {
    float alpha = clamp(0.5 * vStyle.x + 0.5 - abs(vPixel.y), 0.0, 1.0);
    if (vStyle.y > 0.0) alpha *= clamp((0.55 - abs(fract(vPixel.x / vStyle.y) - 0.5) * 2.0) * 0.5 * vStyle.y + 0.5, 0.0, 1.0);
    outColor = vec4(vColor.rgb, vColor.a * alpha);
}
