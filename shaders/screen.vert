#version 410 core
// One triangle that covers the viewport, at the far plane: what is drawn before it stays in front.
out vec2 vUv;
void main() {
    vUv = vec2((gl_VertexID << 1) & 2, gl_VertexID & 2);
    gl_Position = vec4(vUv * 2.0 - 1.0, 1.0, 1.0);
}
