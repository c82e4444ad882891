#version 410 core
uniform float uFade;    // 1, or less for marks behind something
in vec4 vColor;
in vec4 vRim;
noperspective in vec2 vPixel;
flat in vec2 vSize;
out vec4 outColor;

void main() {
    float r = length(vPixel);
    float disc = clamp(vSize.x + 0.5 - r, 0.0, 1.0);
    if (vSize.y > 0.0) disc *= clamp(r - vSize.y + 0.5, 0.0, 1.0);
    float rimWidth = min(1.5, 0.3 * vSize.x);
    float rim = clamp(r - (vSize.x - rimWidth) + 0.5, 0.0, 1.0) * vRim.a;
    outColor = vec4(mix(vColor.rgb, vRim.rgb, rim), vColor.a * disc * uFade);
}
