#include "contact/collider.hpp"

#include <algorithm>

namespace clothlab::contact {

bool Collider::operator==(const Collider& other) const {
    return name == other.name && shape == other.shape && position == other.position &&
           orientation.coeffs() == other.orientation.coeffs() && velocity == other.velocity &&
           angularVelocity == other.angularVelocity && startTime == other.startTime && stopTime == other.stopTime &&
           keyframes == other.keyframes && muS == other.muS && muK == other.muK && drag == other.drag;
}

ColliderPose poseAt(const Collider& collider, double time) {
    const double moved = std::max(0.0, std::min(time, collider.stopTime) - collider.startTime);
    const bool moves = time >= collider.startTime && time < collider.stopTime;

    ColliderPose pose{collider.position + moved * collider.velocity, collider.orientation, Vec3::Zero(), Vec3::Zero()};
    const double speed = collider.angularVelocity.norm();
    if (moved > 0 && speed > 0) {
        const Eigen::AngleAxisd turn(moved * speed, collider.angularVelocity / speed);
        pose.orientation = Eigen::Quaterniond(turn) * collider.orientation;
    }
    if (moves) {
        pose.velocity = collider.velocity;
        pose.angularVelocity = collider.angularVelocity;
    }
    pose.position += collider.drag.at(time);
    pose.velocity += collider.drag.velocity;
    if (!collider.keyframes.empty()) {
        const auto [displacement, velocity] = mechanics::KeyframedPlace::at(collider.keyframes, time);
        pose.position += displacement;
        pose.velocity += velocity;
    }
    return pose;
}

double movingSeconds(const Collider& collider, double time, double dt) {
    if (time >= collider.startTime && time + dt <= collider.stopTime) return dt;
    return std::clamp(std::min(time + dt, collider.stopTime) - std::max(time, collider.startTime), 0.0, dt);
}

Vec3 meanVelocity(const Collider& collider, double time, double dt) {
    const Vec3 steady = movingSeconds(collider, time, dt) / dt * collider.velocity + collider.drag.velocity;
    if (collider.keyframes.empty()) return steady;
    const auto displacement = [&](double t) -> Vec3 {
        return mechanics::KeyframedPlace::at(collider.keyframes, t).displacement;
    };
    return steady + (displacement(time + dt) - displacement(time)) / dt;
}

}  // namespace clothlab::contact
