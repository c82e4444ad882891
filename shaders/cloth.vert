#version 410 core
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;
layout(location = 2) in vec2 aCheck;    // texture coordinates, scaled to checks
layout(location = 3) in vec4 aData;     // overlay colour (sRGB) and its weight
layout(location = 4) in float aFromRim; // checks
layout(location = 5) in uint aCloth;    // number of the cloth in the scene

#include "outline.glsl"
#include "world.glsl"
uniform mat4 uViewProjection;
uniform mat4 uShadowMatrix;
uniform vec3 uToLight;
uniform vec3 uEye;
uniform float uNormalOffset;            // m: lifts the point of comparison off the cloth

out vec3 vToEye;
out vec3 vNormal;
out vec2 vCheck;
out vec4 vData;
out vec4 vShadow;
out float vFromRim;
flat out uint vCloth;

void main() {
    vToEye = normalize(uEye - aPosition);
    vNormal = aNormal;
    vCheck = aCheck;
    vData = aData;
    vFromRim = aFromRim;
    vCloth = aCloth;
    // The lit side is compared a little in front of itself; a two-sided sheet chooses the side of the light, and where it
    // turns from one to the other it is neither: a choice by vertex would have teeth.
    float side = clamp(4.0 * dot(aNormal, uToLight), -1.0, 1.0);
    vShadow = uShadowMatrix * vec4(aPosition + (side * uNormalOffset) * aNormal, 1.0);
    gl_Position = standingOut(uViewProjection * vec4(aPosition, 1.0), uViewProjection * vec4(aOther, 1.0));
    gl_ClipDistance[0] = insideWorld(aPosition);
}
