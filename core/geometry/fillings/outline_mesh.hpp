#pragma once

#include <span>
#include <vector>

#include "geometry/grid.hpp"

/// Meshes of flat pieces: pieces of a sewing pattern, say.
///
/// The inside is a lattice of regular triangles, cut off about half an edge before the outline. The strip between is
/// triangulated by edge flips, so that the mesh is Delaunay as far as the outline allows, and points move to the middle
/// of the triangles around them, which evens out the rim and leaves the lattice as it is. Only the square root of libm
/// is used, so that a mesh has the same bits on every processor.
namespace clothlab::geometry {

using Vec2 = Eigen::Vector2d;

struct FlatMesh {
    std::vector<Vec2> points;         ///< m; those of the outline first, in its order
    std::vector<Triangle> triangles;  ///< counter-clockwise
};

/// Fills a polygon without crossings, counter-clockwise, with sides about `spacing` (m) long. Sides are not divided.
FlatMesh fillOutline(std::span<const Vec2> outline, double spacing);

}  // namespace clothlab::geometry
