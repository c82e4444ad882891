#pragma once

#include <optional>

#include "geometry/shapes.hpp"

namespace clothlab::geometry {

/// The first contact of a path with a shape.
struct FirstTouch {
    double share;  ///< of the path, 0..1
    Vec3 point;    ///< m, in the shape's frame
    Vec3 normal;   ///< outward, unit
};

/// The first contact, from outside, of a point that moves straight between two places, both in the shape's frame; empty
/// if it does not meet the shape, begins inside, or leaves from a touch. For a plate it is the side that it comes from,
/// however far beyond it ends.
///
/// The distance along a straight path from a convex shape is convex, so Newton's method never passes the first root.
/// For a mesh the distance itself is a safe step, up to the error of its field.
std::optional<FirstTouch> firstTouch(const Shape& shape, const Vec3& from, const Vec3& to);

}  // namespace clothlab::geometry
