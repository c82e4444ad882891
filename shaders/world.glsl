// What has fallen out of the world is not drawn.
uniform vec4 uWorld;    // m, a sphere: its centre and radius
float insideWorld(vec3 p) { return uWorld.w - distance(p, uWorld.xyz); }
