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
    static auto tieMembers(Self& self) {
        auto& [active, collider, target] = self;
        return std::tie(active, collider, target);
    }
};

/// m. Cloth pressed between two solids, or held in one by a pin, has no room.
inline constexpr double kRoomForCloth = 0.01;

/// Whether the pointer can grab it: a half space cannot move.
bool canBeGrabbed(const contact::Collider& collider);

/// Sets the poses of the solids in this state: their own motions plus the shifts by the pointer.
void placeColliders(const SimulationState& state, std::span<contact::Collider> colliders);

/// Gives the grabbed solid the velocity of a step of length dt (s): toward its target, at no more than maxSpeed (m/s),
/// and past other solids and `pins`, from which it keeps kRoomForCloth away, or its current distance if smaller.
/// Returns the shift of each solid by the pointer at the end of the step, m; empty: none yet.
std::vector<Vec3> dragColliders(const SimulationState& state, std::span<const Pin> pins, double maxSpeed, double dt,
                                std::span<contact::Collider> colliders);

}  // namespace clothlab::integrators
