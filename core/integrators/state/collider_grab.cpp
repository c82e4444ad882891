#include "integrators/state/collider_grab.hpp"

#include <algorithm>

#include "geometry/shape_gap.hpp"
#include "integrators/state/state.hpp"

namespace clothlab::integrators {
namespace {

geometry::PlacedShape placed(const contact::Collider& collider, double time) {
    const contact::ColliderPose pose = contact::poseAt(collider, time);
    return {&collider.shape, pose.position, pose.orientation};
}

/// What is left of a way when the solid may come no nearer to others, and to pins, than it may.
Vec3 pastOthers(const SimulationState& state, std::span<const Pin> pins, std::span<const contact::Collider> colliders,
                Index grabbed, double time, Vec3 way) {
    struct Wall {
        Vec3 direction;
        double least;  ///< of the way along the direction, m
    };
    std::vector<Wall> walls;
    const geometry::PlacedShape solid = placed(colliders[grabbed], time);
    for (std::size_t k = 0; k < colliders.size(); ++k) {
        if (Index(k) == grabbed) continue;
        if (const auto gap = geometry::gapBetween(solid, placed(colliders[k], time)))
            walls.push_back({gap->direction, std::min(0.0, kRoomForCloth - gap->distance)});
    }
    for (const Pin& pin : pins) {
        const auto sample = geometry::signedDistance(
            *solid.shape, solid.orientation.conjugate() * (state.x[pin.particle] - solid.position));
        walls.push_back({-(solid.orientation * sample.normal), std::min(0.0, kRoomForCloth - sample.distance)});
    }
    // Along one wall, along the edge of two, into the corner of three; where they leave nothing, it stays.
    const auto refuses = [&](const Wall& wall) { return way.dot(wall.direction) < wall.least - 1e-12; };
    for (int pass = 0; pass < 50 && std::any_of(walls.begin(), walls.end(), refuses); ++pass)
        for (const Wall& wall : walls)
            if (refuses(wall)) way += (wall.least - way.dot(wall.direction)) * wall.direction;
    return std::any_of(walls.begin(), walls.end(), refuses) ? Vec3(Vec3::Zero()) : way;
}

}  // namespace

bool canBeGrabbed(const contact::Collider& collider) {
    return !std::holds_alternative<geometry::Plane>(collider.shape);
}

void placeColliders(const SimulationState& state, std::span<contact::Collider> colliders) {
    for (std::size_t k = 0; k < colliders.size(); ++k)
        colliders[k].drag = {.since = state.time,
                             .from = k < state.colliderShifts.size() ? state.colliderShifts[k] : Vec3(Vec3::Zero())};
}

std::vector<Vec3> dragColliders(const SimulationState& state, std::span<const Pin> pins, double maxSpeed, double dt,
                                std::span<contact::Collider> colliders) {
    placeColliders(state, colliders);
    std::vector<Vec3> shifts = state.colliderShifts;
    const ColliderGrab& grab = state.colliderGrab;
    if (!grab.active || grab.collider < 0 || std::size_t(grab.collider) >= colliders.size()) return shifts;
    contact::Collider& collider = colliders[grab.collider];
    if (!canBeGrabbed(collider)) return shifts;
    // Where its own motion takes it within the step is not the pointer's doing.
    const Vec3 end = contact::poseAt(collider, state.time + dt).position;
    Vec3 way = pastOthers(state, pins, colliders, grab.collider, state.time + dt, grab.target - end);
    if (const double length = way.norm(); length > maxSpeed * dt) way *= maxSpeed * dt / length;
    collider.drag.velocity = way / dt;
    shifts.resize(colliders.size(), Vec3::Zero());
    shifts[grab.collider] += way;
    return shifts;
}

}  // namespace clothlab::integrators
