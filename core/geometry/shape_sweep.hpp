#pragma once

#include <optional>

#include "geometry/shapes.hpp"

namespace clothlab::geometry {

/// Where a way meets a shape.
struct FirstTouch {
    double share;  ///< of the way, 0..1
    Vec3 point;    ///< m, in the shape's frame
    Vec3 normal;   ///< outward, unit
};

/// Where a point that goes straight from one place to another, both in the shape's frame, first meets it from outside;
/// none: it does not, it begins inside, or it goes away from where it touches. Of a plate it is the side that it comes
/// from, however far beyond it ends.
///
/// The distance along a straight way from a convex shape is convex, so Newton's method never passes the first root.
/// Of a mesh the distance itself is a step that meets nothing, up to the error of its field.
std::optional<FirstTouch> firstTouch(const Shape& shape, const Vec3& from, const Vec3& to);

}  // namespace clothlab::geometry
