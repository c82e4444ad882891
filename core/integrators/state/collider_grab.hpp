#pragma once

#include <span>
#include <vector>

#include "base/members.hpp"
#include "contact/collider.hpp"

namespace clothlab::integrators {

struct Pin;
struct SimulationState;

/// The pointer's hold on a solid.
struct ColliderGrab {
    bool active = false;
    Index collider = -1;
    Vec3 target = Vec3::Zero();  ///< m, where the solid's origin should be

    template <class Self>
    static auto membersOf(Self& self) {
        auto& [active, collider, target] = self;
        return std::tie(active, collider, target);
    }
};

/// m. Cloth that is pressed between two solids, or that a pin holds in one, has no place to be.
inline constexpr double kRoomForCloth = 0.01;

/// Whether the pointer can take it: a half space has no place to go to.
bool canBeGrabbed(const contact::Collider& collider);

/// Puts the solids where they are in this state: their own motions and what the pointer has moved them by.
void placeColliders(const SimulationState& state, std::span<contact::Collider> colliders);

/// Gives the grabbed solid the velocity of a step of length dt (s): toward its target, at no more than maxSpeed (m/s),
/// and past other solids and `pins`, from which it keeps kRoomForCloth away, or as far as it is already. Returns what
/// the pointer has moved each solid by at the end of the step, m; empty: nothing yet.
std::vector<Vec3> dragColliders(const SimulationState& state, std::span<const Pin> pins, double maxSpeed, double dt,
                                std::span<contact::Collider> colliders);

}  // namespace clothlab::integrators
