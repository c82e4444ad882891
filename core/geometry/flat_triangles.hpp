#pragma once

#include <span>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace clothlab::geometry {

/// The treatment of triangles without area.
struct FlatTriangles {
    std::vector<bool> gone;  ///< per triangle: to be left out
    Index left = -1;         ///< the first that cannot be left out, or -1
};

/// Removes triangles without area (`flat`, ascending) without opening the surface. One whose long side is free is
/// left out: the border then goes through its middle corner. One between two triangles passes its middle corner to the
/// neighbour across the long side, which becomes two:
///
///         d                  d
///       /   \              / | \          a b c is flat
///      a --- c     ->     a  b  c
///       \ b /
///
/// Sides of three triangles lose one. `triangles` change in place; none is added.
FlatTriangles removeFlat(std::vector<Triangle>& triangles, std::span<const Vec3> points, std::span<const Index> flat);

}  // namespace clothlab::geometry
