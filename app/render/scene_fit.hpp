#pragma once

#include <glm/glm.hpp>
#include <optional>
#include <span>

#include "render/camera.hpp"
#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::render {

struct Sphere3 {
    glm::vec3 centre{0};
    float radius = 1;
};

/// What is chosen once a mesh, from its first snapshot, so that nothing jumps from frame to frame.
struct SceneFit {
    float ground = 0;            ///< m, height of the ground that is drawn where no plane is
    glm::vec3 centre{0};         ///< m
    float radius = 1;            ///< m, of cloth and solids at the start
    float cell = 0.25f;          ///< m, of the grid
    glm::vec3 toLight{0, 1, 0};  ///< unit; from the left of the scene's own camera, above its shoulder
};
SceneFit fitScene(const worker::Snapshot& snapshot);

/// The side of the cloth that the scene's own camera sees at the start is its face: true when that is the side from
/// which the triangles turn counter-clockwise.
bool frontFacesCamera(const worker::Snapshot& first);

/// The lowest that the cloth can come to, m: pinned particles hold the others on strings of their rest distance;
/// unpinned cloth hangs over the highest solid by half its own size.
float lowestReach(const worker::Snapshot& first);

/// What stands over a picture, in its pixels.
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

/// A sphere around the cloth and the solids as they are now; particles that are not finite do not count.
Sphere3 boundsNow(const worker::Snapshot& snapshot);

}  // namespace clothlab::app::render
