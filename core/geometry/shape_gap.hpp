#pragma once

#include <optional>

#include "geometry/shapes.hpp"

#include <Eigen/Geometry>

namespace clothlab::geometry {

/// A shape with a pose: a point p of its frame is at position + orientation p.
struct PlacedShape {
    const Shape* shape;
    Vec3 position;                   ///< m
    Eigen::Quaterniond orientation;  ///< unit
};

/// The distance of two shapes, m, and the unit vector from the second to the first at the closest points.
struct Gap {
    double distance;
    Vec3 direction;
};

/// Exact to a micrometre for convex shapes; for concave bodies the smallest distance of some near places. Shapes that
/// overlap have a negative distance: the depth, in both, of a common point. Empty for two planes, which have no size.
std::optional<Gap> gapBetween(const PlacedShape& first, const PlacedShape& second);

}  // namespace clothlab::geometry
