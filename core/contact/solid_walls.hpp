#pragma once

#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "contact/collider.hpp"
#include "contact/impulses.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::contact {

/// No particle ends a step deep in a solid. Contact with solids (contact_solver.hpp) takes a particle once it is inside
/// at the start of a step, so one that comes fast is as deep then as it moves in a step; and layers of cloth may press
/// one in. Each solid near the end of a particle's way is a wall there, and impulses between layers and from walls are
/// found together.
struct SolidWalls {
    std::span<const Collider> colliders;
    double time;   ///< s, at the end of the step
    double depth;  ///< m: so deep a particle may be, and is a contact in the next step
    double reach;  ///< m: from here on a solid is a wall

    /// Of particles that are at x (m) after the displacements u; by particle.
    void find(const linalg::BlockVector& x, const linalg::BlockVector& u, std::vector<Wall>& out,
              WorkerPool& pool) const;
};

}  // namespace clothlab::contact
