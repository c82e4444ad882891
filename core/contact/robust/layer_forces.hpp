#pragma once

#include <array>
#include <span>
#include <vector>

#include <Eigen/Core>

#include "base/members.hpp"
#include "geometry/closest_points.hpp"
#include "linalg/block_vector.hpp"

/// Forces between layers of cloth, as they go from one step into the next (docs/methods/contact.md).
///
/// Contact stops a pair by impulses that masses alone resist, after a solve that knows nothing of them. At rest the
/// solve moves a stiff sheet by about K^-1 f, contact takes that back by h^2 M^-1 N lambda, and what balances is
///
///     f + (I + h^2 K M^-1) N lambda = 0
///
/// instead of f + N lambda = 0: with a large h^2 k/m layers hook into each other. So the solve of the next step gets
/// N lambda as an outside force; contact begins with that lambda, and takes back what was too much. This is the method
/// of multipliers, with one iteration a step: at rest the balance is the true one. What falls onto something does not
/// bounce: the step after the impact takes its lambda back.
namespace clothlab::contact {

struct LayerForce {
    std::array<Index, 4> corners;
    geometry::PairKind kind;
    float push = 0;                                      ///< N, along the normal of the pair
    Eigen::Vector3f friction = Eigen::Vector3f::Zero();  ///< N, at right angles to it

    template <class Self>
    static auto membersOf(Self& self) {
        auto& [corners, kind, push, friction] = self;
        return std::tie(corners, kind, push, friction);
    }
};

/// Share of the thickness up to which a pair takes its force into the next step.
inline constexpr double kCarriedWithin = 1.25;

/// Orders them by corners; those of the same pair become one.
void joinLayerForces(std::vector<LayerForce>& forces);

/// The force of this pair among ordered ones; null: none.
const LayerForce* findLayerForce(std::span<const LayerForce> forces, const std::array<Index, 4>& corners,
                                 geometry::PairKind kind);

/// b += time * force (kg m/s), with the pairs as they are at x (m). Linear momentum stays.
void addLayerForces(std::span<const LayerForce> forces, const linalg::BlockVector& x, double time,
                    linalg::BlockVector& b);

}  // namespace clothlab::contact
