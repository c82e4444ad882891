#version 410 core
// A round mark of constant size on the screen.
layout(location = 0) in vec3 aCentre;
layout(location = 1) in vec2 aSize;     // radius of the disc and of its hole, pixels
layout(location = 2) in vec4 aColor;
layout(location = 3) in vec4 aRim;

#include "world.glsl"
uniform mat4 uViewProjection;
uniform vec3 uEye;
uniform vec2 uScreen;
uniform float uPull;

out vec4 vColor;
out vec4 vRim;
noperspective out vec2 vPixel;
flat out vec2 vSize;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vec4 clip = uViewProjection * vec4(mix(aCentre, uEye, uPull), 1.0);
    vPixel = corner * (aSize.x + 1.5);
    clip.xy += vPixel / (0.5 * uScreen) * clip.w;
    gl_Position = clip;
    gl_ClipDistance[0] = insideWorld(aCentre);
    vColor = aColor;
    vRim = aRim;
    vSize = aSize;
}
