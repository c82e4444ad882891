#pragma once

#include "base/errors.hpp"
#include "geometry/triangle_mesh.hpp"

namespace clothlab::geometry {

/// A mesh in which close points have been merged.
struct WeldedMesh {
    TriangleMesh mesh;
    std::vector<Index> pointOf;  ///< per original point: its point now
    std::vector<Index> firstOf;  ///< per point now: the first of its original points, ascending
};

/// Joins panels along their seams: points closer to each other than `distance` (m) become one, in the place of the
/// first of them. Coordinates of the mesh times `scale` are metres. Texture coordinates are kept if merged points agree
/// on them; otherwise they would tear at the seam, and the mesh has none.
///
/// Refused, with the numbers of points from 1 as in OBJ files: an edge that would vanish, points that would meet only
/// through others, more than 64 points in a cube of that edge, and a result that is no surface (an edge of three
/// triangles or of two with opposite orientation, a triangle without area). Time is O(#P log #P).
/// `numbers`: per point its number in the file, from 0, for messages; empty: the same.
Expected<WeldedMesh> weldPoints(const TriangleMesh& mesh, double distance, double scale,
                                std::span<const Index> numbers = {});

}  // namespace clothlab::geometry
