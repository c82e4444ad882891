#pragma once

#include <optional>

#include "geometry/shapes.hpp"

#include <Eigen/Geometry>

namespace clothlab::geometry {

/// A shape somewhere: a point p of its frame is at position + orientation p.
struct PlacedShape {
    const Shape* shape;
    Vec3 position;                   ///< m
    Eigen::Quaterniond orientation;  ///< unit
};

/// How far two shapes are apart, m, and the unit vector from the second to the first where they are closest.
struct Gap {
    double distance;
    Vec3 direction;
};

/// Exact to a micrometre for convex shapes; between bodies with dents the closest of some near places. Shapes that
/// overlap have a negative distance: how deep a point found in both is in both together. None between two planes, which
/// have no size.
std::optional<Gap> gapBetween(const PlacedShape& first, const PlacedShape& second);

}  // namespace clothlab::geometry
