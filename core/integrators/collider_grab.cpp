#include "integrators/collider_grab.hpp"

#include "integrators/state.hpp"

namespace clothlab::integrators {

bool canBeGrabbed(const contact::Collider& collider) {
    return !std::holds_alternative<geometry::Plane>(collider.shape);
}

void placeColliders(const SimulationState& state, std::span<contact::Collider> colliders) {
    for (std::size_t k = 0; k < colliders.size(); ++k)
        colliders[k].drag = {.since = state.time,
                             .from = k < state.colliderShifts.size() ? state.colliderShifts[k] : Vec3(Vec3::Zero())};
}

std::vector<Vec3> dragColliders(const SimulationState& state, double maxSpeed, double dt,
                                std::span<contact::Collider> colliders) {
    placeColliders(state, colliders);
    std::vector<Vec3> shifts = state.colliderShifts;
    const ColliderGrab& grab = state.colliderGrab;
    if (!grab.active || grab.collider < 0 || std::size_t(grab.collider) >= colliders.size()) return shifts;
    contact::Collider& collider = colliders[grab.collider];
    if (!canBeGrabbed(collider)) return shifts;
    // Where its own motion takes it within the step is not the pointer's doing.
    const Vec3 end = contact::poseAt(collider, state.time + dt).position;
    Vec3 velocity = (grab.target - end) / dt;
    if (const double speed = velocity.norm(); speed > maxSpeed) velocity *= maxSpeed / speed;
    collider.drag.velocity = velocity;
    shifts.resize(colliders.size(), Vec3::Zero());
    shifts[grab.collider] += dt * velocity;
    return shifts;
}

}  // namespace clothlab::integrators
