#pragma once

#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "base/members.hpp"
#include "geometry/closest_points.hpp"
#include "linalg/block_vector.hpp"

/// Forces between layers of cloth, carried from one step into the next (docs/methods/contact.md).
///
/// Contact stops a pair by impulses that only masses resist, after a solve without them. At rest the solve moves a
/// sheet of stiffness K by about K^-1 f, contact moves it back by h^2 M^-1 N lambda, and the balance is
///
///     f + (I + h^2 K M^-1) N lambda = 0
///
/// instead of f + N lambda = 0: with a large h^2 k/m layers hook into each other. So the solve of the next step gets
/// N lambda as an outside force; contact begins with that lambda, and takes back what was too much. This is the method
/// of multipliers, with one iteration per step: at rest the balance is the true one. Falling cloth does not bounce: the
/// step after the impact takes its lambda back.
namespace clothlab::contact {

struct LayerForce {
    std::array<Index, 4> corners;
    geometry::PairKind kind;
    float push = 0;                                      ///< N, along the normal of the pair
    Eigen::Vector3f friction = Eigen::Vector3f::Zero();  ///< N, at right angles to it

    template <class Self>
    static auto tieMembers(Self& self) {
        auto& [corners, kind, push, friction] = self;
        return std::tie(corners, kind, push, friction);
    }
};

/// Distance, in thicknesses, up to which a pair carries its force into the next step.
inline constexpr double kCarriedWithin = 1.25;

/// Orders the forces by corners and joins those of the same pair.
void joinLayerForces(std::vector<LayerForce>& forces);

/// The force of this pair among ordered ones, or null.
const LayerForce* findLayerForce(std::span<const LayerForce> forces, const std::array<Index, 4>& corners,
                                 geometry::PairKind kind);

/// b += time * force (kg m/s), with the pairs as they are at x (m). Keeps linear momentum.
void addLayerForces(std::span<const LayerForce> forces, const linalg::BlockVector& x, double time,
                    linalg::BlockVector& b);

}  // namespace clothlab::contact
