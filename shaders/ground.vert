#version 410 core
// A square in the plane through uOrigin that uAlong and uAcross (unit vectors) span.
uniform mat4 uViewProjection;
uniform mat4 uShadowMatrix, uContactMatrix;
uniform vec3 uOrigin, uAlong, uAcross;
uniform float uRadius;    // m

out vec2 vPlane;          // m
out vec2 vShadow;
out vec2 vContact;

void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
    vPlane = corner * uRadius;
    vec3 p = uOrigin + vPlane.x * uAlong + vPlane.y * uAcross;
    vShadow = (uShadowMatrix * vec4(p, 1.0)).xy;
    vContact = (uContactMatrix * vec4(p, 1.0)).xy;
    gl_Position = uViewProjection * vec4(p, 1.0);
}
