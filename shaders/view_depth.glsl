// Places before the eye from a picture of depths. uLens has the four entries of the projection that matter: (0, 0), (1, 1),
// (2, 2) and (2, 3).
uniform sampler2D uDepth;
uniform vec4 uLens;
uniform vec2 uTexel;    // 1 / size of the picture
uniform float uReach;   // m

float distanceOf(float depth) { return uLens.w / (2.0 * depth - 1.0 + uLens.z); }  // m, along the line of sight; negative ahead
vec3 placeAt(vec2 uv) {
    float z = -distanceOf(texture(uDepth, uv).r);
    return vec3(-z * (2.0 * uv - 1.0) / uLens.xy, z);
}
