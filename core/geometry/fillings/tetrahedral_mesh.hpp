#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "geometry/grid.hpp"

namespace clothlab::geometry {

/// Corner 3 lies on the side of corners 0, 1, 2 from which they run counter-clockwise: the volume is positive.
using Tetrahedron = std::array<Index, 4>;

/// A body cut into tetrahedra, and its surface.
struct TetrahedralMesh {
    std::vector<Vec3> points;  ///< m
    std::vector<Tetrahedron> tetrahedra;
    std::vector<Triangle> triangles;  ///< faces of one tetrahedron only, counter-clockwise seen from outside

    bool operator==(const TetrahedralMesh&) const = default;
};

/// m^3; negative when it is inverted.
double computeVolume(std::span<const Vec3> points, const Tetrahedron& t);
/// 1 for a regular tetrahedron, 0 for a flat one, negative when inverted: 6 sqrt(2) V / l^3, l the root mean square
/// of its edges.
double computeQuality(std::span<const Vec3> points, const Tetrahedron& t);
/// Faces of exactly one tetrahedron, turned outward, in the order of the tetrahedra.
std::vector<Triangle> findBoundary(std::span<const Tetrahedron> tetrahedra);
/// Pairs a < b, each once, sorted by a, then b.
std::vector<std::pair<Index, Index>> collectEdges(std::span<const Tetrahedron> tetrahedra);
/// A quarter of each tetrahedron's volume to each of its corners, m^3 per point.
std::vector<double> volumeShares(const TetrahedralMesh& mesh);

/// Texture coordinates (m) of a point of a solid: an oblique projection from either side of z = 0, in which checks are
/// stretched least where a standing body is seen.
std::array<double, 2> solidTexture(const Vec3& point);

/// The places where triangles form no closed surface.
struct SurfaceFaults {
    std::vector<std::pair<Index, Index>> edges;  ///< a < b that are not in two triangles
    std::vector<Index> points;                   ///< around which the triangles are more than one ring

    bool none() const { return edges.empty() && points.empty(); }
};
SurfaceFaults findFaults(std::span<const Triangle> triangles, Index points);
/// Whether triangles are one closed surface with points - edges + triangles = 2: no handles. Unused points do
/// not count.
bool isClosedSphere(std::span<const Triangle> triangles, Index points);

/// The tetrahedra of each point, by their numbers in the mesh.
std::vector<std::vector<Index>> tetrahedraOfPoints(const TetrahedralMesh& mesh);

}  // namespace clothlab::geometry
