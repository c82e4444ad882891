#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>
#include <vector>

#include "render/camera.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::render {

struct Sphere3 {
    glm::vec3 centre{0};
    float radius = 1;
};

/// Light and grid, chosen once per mesh, from its first snapshot, so that they do not jump from frame to frame.
struct SceneFit {
    glm::vec3 centre{0};         ///< m
    float radius = 1;            ///< m, of cloth and solids at the start
    float cell = 0.25f;          ///< m, of the grid
    glm::vec3 toLight{0, 1, 0};  ///< unit; from the left of the scene's own camera, above its shoulder
};
SceneFit fitScene(const worker::Snapshot& snapshot);

/// The side of the cloth that the scene's own camera sees at the start is its face: true when that is the side from
/// which the triangles turn counter-clockwise.
bool frontFacesCamera(const worker::Snapshot& first);

/// Covered parts of a picture, in its pixels.
struct Covered {
    float top = 0;        ///< words, over the whole width
    glm::vec2 corner{0};  ///< a legend in the lower left corner: its width and height, with the margin
};

/// The camera itself where it sees all points (#P x 3, m); else from the same side, moved and farther away until it
/// does. What is covered does not count: of a corner, either the height or the width is given up, whichever lets the
/// camera stay nearer.
Camera seeing(const Camera& camera, std::span<const float> positions, const Viewport& viewport,
              const Covered& covered = {});

/// The longest stretch spring at rest, m: how far apart neighbours are at most.
float largestSpacing(const worker::MeshTopology& mesh);

/// The ground is gone at so many radii of the scene, and so is the world.
inline constexpr float kWorld = 6.5f;

/// m, the radius of a world without an end. Shaders get it, and software GL draws nothing with an infinite one.
inline constexpr float kNoEnd = 1e9f;

/// The sphere that is drawn and fitted by light and camera: anything that has fallen farther from the start of the
/// scene is outside. Infinite (kNoEnd) if no particle is left in it, since then the whole cloth is on its way.
Sphere3 worldNow(const SceneFit& fit, const worker::Snapshot& snapshot);

/// Whether any of a body of this radius (m) is in the world.
bool isWithin(const Sphere3& world, const glm::vec3& place, float radius = 0);

/// A sphere around what is in the world of cloth and solids as they are now; particles that are not finite do not
/// count.
Sphere3 boundsNow(const worker::Snapshot& snapshot, const Sphere3& world);

/// Positions of the cloth and its ghosts, over it or beside it, as far as they are in the world: n x 3, m.
std::vector<float> shownPositions(const worker::Snapshot& snapshot, const Sphere3& world);

}  // namespace clothlab::app::render
