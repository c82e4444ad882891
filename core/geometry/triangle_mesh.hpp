#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "geometry/grid.hpp"

namespace clothlab::geometry {

using TextureCoordinate = std::array<double, 2>;

/// Points and triangles, as in a file.
struct TriangleMesh {
    std::vector<Vec3> points;                 ///< m
    std::vector<Triangle> triangles;          ///< counter-clockwise seen from the front
    std::vector<TextureCoordinate> textures;  ///< one per point, or empty

    bool operator==(const TriangleMesh&) const = default;
};

/// An edge a < b, and the corners opposite to it in its one or two triangles. Two of them make it a hinge.
///
///          opposite[0]
///             /   \         opposite[0] is of the earlier triangle,
///            a --- b        opposite[1] is -1 on the border
///             \   /
///          opposite[1]
struct MeshEdge {
    Index a, b;
    std::array<Index, 2> opposite{-1, -1};

    bool isHinge() const { return opposite[1] >= 0; }
    bool operator==(const MeshEdge&) const = default;
};

/// The edges of triangles over `points` points, sorted by a, then b. Needs a mesh without an EdgeFault. Time and memory
/// are proportional to the size of the mesh.
std::vector<MeshEdge> collectEdges(std::span<const Triangle> triangles, Index points);

/// An edge that breaks a surface with two sides: it has three triangles, or two with opposite orientation.
struct EdgeFault {
    Index triangle;  ///< the surplus one, the first such of the mesh
    Index other;     ///< an earlier triangle of the same edge
    Index a, b;
    bool third;  ///< a third triangle; otherwise one of opposite orientation
};
enum class EdgeFaults { All, Thirds };
std::optional<EdgeFault> findEdgeFault(std::span<const Triangle> triangles, Index points,
                                       EdgeFaults which = EdgeFaults::All);

/// Flips triangles until neighbours agree; in each patch the majority stays as it is, or the side of the first
/// triangle. Needs edges of at most two triangles. Returns the flipped ones, ascending; nullopt where a patch has one
/// side only, like a Moebius strip, and nothing was flipped.
std::optional<std::vector<Index>> turnToAgree(std::vector<Triangle>& triangles, Index points);

/// The number of patches connected by edges, and of curves in their borders; curves that touch count as one.
struct PatchCount {
    Index components = 0, boundaryLoops = 0;
};
PatchCount countPatches(std::span<const Triangle> triangles, Index points);

/// Twice the area vector of a triangle.
Vec3 areaVector(const Vec3& a, const Vec3& b, const Vec3& c);

/// Whether three points lie on a line, to the accuracy of doubles.
bool isDegenerate(const Vec3& a, const Vec3& b, const Vec3& c);

/// Unit normals of the points, summed over the triangles by area; (0, 1, 0) where they cancel.
std::vector<Vec3> pointNormals(std::span<const Vec3> points, std::span<const Triangle> triangles);

/// The points seen along the mean normal of the triangles (along z where it vanishes), in metres: texture coordinates
/// of a mesh that has none.
std::vector<TextureCoordinate> planarTextures(std::span<const Vec3> points, std::span<const Triangle> triangles);

}  // namespace clothlab::geometry
