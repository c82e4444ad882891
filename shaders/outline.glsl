// The smooth edge of an outline: a corner of its quads stands out from the surface by one pixel, where nothing of it is
// left. A vertex of the mesh itself has zeros here.
layout(location = 6) in vec3 aOther;      // m, the other end of the edge
layout(location = 7) in float aOut;       // px, to the left of the way there
layout(location = 8) in float aTriangle;  // counted from 1
uniform vec2 uScreen;                     // px, size of the viewport

out float vCover;                         // of the pixel: 1 on the surface
flat out int vTriangle;

vec4 standingOut(vec4 place, vec4 otherPlace) {
    vCover = 1.0 - abs(aOut);
    vTriangle = int(aTriangle);
    if (aOut == 0.0) return place;
    vec2 way = (otherPlace.xy / otherPlace.w - place.xy / place.w) * uScreen;
    vec2 left = vec2(-way.y, way.x) * inversesqrt(max(dot(way, way), 1e-12));
    return place + vec4(2.0 * aOut * left / uScreen * place.w, 0.0, 0.0);
}
