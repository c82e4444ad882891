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
/// candidates in a grid of cubes, and decides by the signs of five volumes, in quadruple precision where doubles do not
/// suffice. A touch (a zero volume) is no intersection. Points sewn together count as one corner: `seam` has the same
/// number for them, one entry per point; empty: no seams.
std::vector<Intersection> findIntersections(std::span<const Vec3> points, std::span<const Triangle> triangles,
                                            std::span<const Index> seam = {});

}  // namespace clothlab::geometry
