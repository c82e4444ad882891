#version 410 core
// A segment as a quad that faces the screen: core OpenGL draws no wide lines.
layout(location = 0) in vec3 aFrom;
layout(location = 1) in vec3 aTo;
layout(location = 2) in vec4 aColor;
layout(location = 3) in vec2 aStyle;    // width and length of a dash, pixels; dash 0 = solid

#include "world.glsl"
uniform mat4 uViewProjection;
uniform vec3 uEye;
uniform vec2 uScreen;                   // pixels
uniform float uPull;                    // share of the way to the eye by which marks float over the cloth

out vec4 vColor;
noperspective out vec2 vPixel;          // along and across, pixels
flat out vec2 vStyle;

void main() {
    vec4 a = uViewProjection * vec4(mix(aFrom, uEye, uPull), 1.0);
    vec4 b = uViewProjection * vec4(mix(aTo, uEye, uPull), 1.0);
    const float kNear = 1e-3;
    if (a.w < kNear && b.w > kNear) a = mix(a, b, (kNear - a.w) / (b.w - a.w));
    if (b.w < kNear && a.w > kNear) b = mix(b, a, (kNear - b.w) / (a.w - b.w));
    vec2 pa = a.xy / a.w * 0.5 * uScreen, pb = b.xy / b.w * 0.5 * uScreen;
    vec2 along = pb - pa;
    float len = length(along);
    along = len > 1e-4 ? along / len : vec2(1.0, 0.0);
    float half_ = 0.5 * aStyle.x + 1.0;                    // a pixel more for the soft edge
    float side = (gl_VertexID & 1) == 0 ? -1.0 : 1.0;
    bool end = gl_VertexID >= 2;
    vec4 clip = end ? b : a;
    vec2 offset = vec2(-along.y, along.x) * (side * half_) + along * (end ? 0.5 : -0.5);
    clip.xy += offset / (0.5 * uScreen) * clip.w;
    gl_Position = clip;
    gl_ClipDistance[0] = min(insideWorld(aFrom), insideWorld(aTo));
    vColor = aColor;
    vStyle = aStyle;
    vPixel = vec2(end ? len : 0.0, side * half_);
}
