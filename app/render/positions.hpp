#pragma once

#include <glm/vec3.hpp>

#include "worker/snapshots/snapshot.hpp"

namespace clothlab::app::render {

/// Where a particle of the snapshot is [m].
inline glm::vec3 particlePosition(const worker::Snapshot& snapshot, Index particle) {
    const float* p = &snapshot.positions[3 * std::size_t(particle)];
    return {p[0], p[1], p[2]};
}

}  // namespace clothlab::app::render
