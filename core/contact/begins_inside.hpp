#pragma once

#include <span>
#include <string>
#include <vector>

#include "contact/collider.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::contact {

/// Particles that lie inside a solid: contact pushes them out within a few steps, whatever is in the way.
struct BeginsInside {
    std::string solid;    ///< its name
    Index particles = 0;  ///< how many
    Index deepest = -1;   ///< the deepest of them
    double depth = 0;     ///< m, of the deepest
};

/// The particles at x (m) that are more than a millimetre deep in a solid at `time` (s), solid by solid. `exempt`,
/// sorted: held particles, which have no contact.
std::vector<BeginsInside> particlesInside(std::span<const Collider> colliders, double time,
                                          const linalg::BlockVector& x, std::span<const Index> exempt);

/// One sentence for the user; `number` is the scene's number of the deepest particle.
std::string sentence(const BeginsInside& inside, Index number);

/// The share (0..1) of the surface of a mesh solid that its distance field does not resolve: where the point half a
/// cell behind the surface is not inside. 1 for a plate thinner than a cell.
double shareTooThin(const geometry::MeshSolid& mesh);

}  // namespace clothlab::contact
