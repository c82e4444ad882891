#pragma once

#include <string>

#include "base/types.hpp"
#include "geometry/shapes.hpp"

#include <Eigen/Geometry>

namespace clothlab::contact {

/// A solid body with a prescribed motion: position(t) = position + t velocity (until stopTime), turning about its own
/// centre with constant angular velocity.
struct Collider {
    std::string name;
    geometry::Shape shape;
    Vec3 position = Vec3::Zero();         ///< m, of the shape's origin at t = 0
    Eigen::Quaterniond orientation = Eigen::Quaterniond::Identity();  ///< at t = 0
    Vec3 velocity = Vec3::Zero();         ///< m/s
    Vec3 angularVelocity = Vec3::Zero();  ///< rad/s
    double startTime = 0;                 ///< s; it rests before
    double stopTime = 1e300;              ///< s; it rests after

    bool operator==(const Collider& other) const;
};

/// Where a collider is at a time.
struct ColliderPose {
    Vec3 position;
    Eigen::Quaterniond orientation;
    Vec3 velocity;         ///< m/s at that time
    Vec3 angularVelocity;  ///< rad/s at that time

    Vec3 velocityAt(const Vec3& point) const { return velocity + angularVelocity.cross(point - position); }
};

ColliderPose poseAt(const Collider& collider, double time);

}  // namespace clothlab::contact
