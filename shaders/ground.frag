#version 410 core
// Colours are sRGB here: the ground mixes a lit and a shadowed colour, and needs no light of its own.
uniform vec3 uLit, uShade, uLine;
uniform vec2 uGridOffset;   // m, so that the lines stay where the world has them
uniform float uCell;        // m between two lines
uniform float uRadius;      // m; all is gone there
uniform float uOpacity;
uniform vec3 uTop, uBottom;     // the background, which the ground fades into
uniform vec2 uRows;             // first row of the viewport, and 1 / height
uniform float uShadowStrength;
uniform sampler2D uCover;
uniform float uContactStrength; // 0 = none
uniform sampler2D uContact;

in vec2 vPlane;
in vec2 vShadow;
in vec2 vContact;
out vec4 outColor;

float gridLine(vec2 p, vec2 w) {
    vec2 d = abs(fract(p - 0.5) - 0.5) / w;                 // pixels from the nearest line
    vec2 line = clamp(1.1 - d, 0.0, 1.0) * clamp(1.3 - 3.7 * w, 0.0, 1.0);   // gone before they are finer than pixels
    return max(line.x, line.y);
}

void main() {
    float fade = max(1.0 - dot(vPlane, vPlane) / (uRadius * uRadius), 0.0);
    fade *= fade;
    vec2 p = (vPlane + uGridOffset) / uCell;
    vec3 color = mix(uLit, uLine, gridLine(p, max(fwidth(p), vec2(1e-6))));
    float lit = 1.0 - uShadowStrength * texture(uCover, vShadow).r;              // its border is 0
    lit *= 1.0 - uContactStrength * texture(uContact, vContact).r;
    color = mix(uShade, color, lit);
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    color = mix(mix(uBottom, uTop, (gl_FragCoord.y - uRows.x) * uRows.y), color, fade);
    outColor = vec4(color + noise / 255.0, uOpacity);
}
