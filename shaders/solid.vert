#version 410 core
layout(location = 0) in vec3 aPosition;
layout(location = 1) in vec3 aNormal;

#include "outline.glsl"
#include "world.glsl"
uniform mat4 uModel;
uniform mat4 uViewProjection;
uniform mat4 uShadowMatrix;
uniform float uNormalOffset;

out vec3 vPosition;
out vec3 vNormal;
out vec4 vShadow;

void main() {
    vPosition = (uModel * vec4(aPosition, 1.0)).xyz;
    vNormal = mat3(uModel) * aNormal;
    vShadow = uShadowMatrix * vec4(vPosition + uNormalOffset * vNormal, 1.0);
    gl_Position = standingOut(uViewProjection * vec4(vPosition, 1.0), uViewProjection * (uModel * vec4(aOther, 1.0)));
    gl_ClipDistance[0] = insideWorld(vPosition);
}
