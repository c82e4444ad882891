#pragma once

#include <array>
#include <span>
#include <vector>

#include "geometry/triangle_mesh.hpp"

namespace clothlab::geometry {

/// An edge that goes through a triangle with which it shares no corner.
struct Intersection {
    std::array<Index, 2> edge;
    Index triangle;

    bool operator==(const Intersection&) const = default;
};

/// Every edge that goes through a triangle, by triangle and edge: the state of the surface at one time, whatever led to
/// it. On purpose it shares nothing with the search for pairs and the continuous test of this folder: it finds
/// candidates in a grid of cubes, and decides by the signs of five volumes, which quadruple precision settles
/// where doubles cannot. A touch (a volume that is zero) is none. Points that are sewn together count as one corner:
/// `seam` has the same number for them, one entry for each point; empty: no points are.
std::vector<Intersection> findIntersections(std::span<const Vec3> points, std::span<const Triangle> triangles,
                                            std::span<const Index> seam = {});

}  // namespace clothlab::geometry
