#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "geometry/shapes.hpp"
#include "mechanics/motion.hpp"

#include <Eigen/Geometry>

namespace clothlab::contact {

/// A solid body with a prescribed motion. It rests until startTime, then its origin moves with constant velocity and it
/// turns about that origin with constant angular velocity (world axes), and from stopTime on it rests where it is.
/// Keyframes add a displacement at any time.
struct Collider {
    std::string name;
    geometry::Shape shape;
    Vec3 position = Vec3::Zero();                                     ///< m, of the shape's origin up to startTime
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< up to startTime; unit
    Vec3 velocity = Vec3::Zero();                                     ///< m/s
    Vec3 angularVelocity = Vec3::Zero();                              ///< rad/s
    double startTime = 0;                                             ///< s; it rests before
    double stopTime = 1e300;                                          ///< s; it rests after
    std::vector<mechanics::Keyframe> keyframes;                       ///< times ascend
    std::optional<double> muS, muK;  ///< static and kinetic friction; none: those of the settings
    /// Displacement by the pointer: `from` at time `since`, then a constant velocity.
    struct Drag {
        double since = 0;              ///< s
        Vec3 from = Vec3::Zero();      ///< m
        Vec3 velocity = Vec3::Zero();  ///< m/s
        Vec3 at(double time) const { return from + (time - since) * velocity; }
        bool operator==(const Drag&) const = default;
    };
    Drag drag = {};  ///< of the current step; not part of a scene

    bool operator==(const Collider& other) const;
};

/// Pose and velocity of a collider at one time.
struct ColliderPose {
    Vec3 position;
    Eigen::Quaterniond orientation;
    Vec3 velocity;         ///< m/s at that time
    Vec3 angularVelocity;  ///< rad/s at that time

    Vec3 velocityAt(const Vec3& point) const { return velocity + angularVelocity.cross(point - position); }
};

/// Pose at a time (s). At startTime it already moves, at stopTime it rests.
ColliderPose poseAt(const Collider& collider, double time);

/// Seconds of [time, time + dt] during which the collider moves: exactly dt or 0 for a step on one side of both ends.
/// Keyframes do not count.
double movingSeconds(const Collider& collider, double time, double dt);
/// Mean velocity of its origin over [time, time + dt], m/s.
Vec3 meanVelocity(const Collider& collider, double time, double dt);

}  // namespace clothlab::contact
