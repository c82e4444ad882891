#pragma once

#include <variant>

#include "base/types.hpp"

namespace clothlab::geometry {

/// Shapes in their own frame, centred at the origin; lengths in metres.
struct Sphere { double radius = 0.3; };
struct Box { Vec3 halfSize{0.3, 0.3, 0.3}; };
struct Cylinder { double radius = 0.2, halfHeight = 0.3; };  ///< axis along local y
struct Capsule { double radius = 0.2, halfHeight = 0.3; };   ///< segment of length 2 halfHeight along local y
struct Plane {};                                             ///< the half space local y <= 0 is solid

using Shape = std::variant<Sphere, Box, Cylinder, Capsule, Plane>;

/// Signed distance (negative inside, m) and its gradient, the outward unit normal, at a point of the shape's frame.
struct DistanceSample {
    double distance;
    Vec3 normal;
};
DistanceSample signedDistance(const Shape& shape, const Vec3& point);

}  // namespace clothlab::geometry
