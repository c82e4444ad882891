#pragma once

#include <vector>

#include <glm/vec3.hpp>

#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::render {

/// Where a particle of the snapshot is [m].
inline glm::vec3 positionOf(const worker::Snapshot& snapshot, Index particle) {
    const float* p = &snapshot.positions[3 * std::size_t(particle)];
    return {p[0], p[1], p[2]};
}

/// Of the cloth and of its ghosts, over it or beside it: #P x 3 each, m.
inline std::vector<float> shownPositions(const worker::Snapshot& snapshot) {
    std::vector<float> all = snapshot.positions;
    for (std::size_t k = 0; k < snapshot.ghosts(); ++k) {
        const std::vector<float>& ghost = snapshot.ghostAt(k).positions;
        all.insert(all.end(), ghost.begin(), ghost.end());
    }
    return all;
}

}  // namespace clothlab::app::render
