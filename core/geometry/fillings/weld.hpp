#pragma once

#include "base/errors.hpp"
#include "geometry/triangle_mesh.hpp"

namespace clothlab::geometry {

/// A mesh in which points that lay close together have become one.
struct WeldedMesh {
    TriangleMesh mesh;
    std::vector<Index> pointOf;  ///< of each point of the mesh before: its point now
    std::vector<Index> firstOf;  ///< of each point now: the first of those that it was, ascending
};

/// Joins panels along their seams: points closer to each other than `distance` (m) become one, in the place of the
/// first of them. A unit of the mesh is `scale` m long. Texture coordinates stay where the points that meet have the
/// same; a seam whose sides differ would tear them, and the mesh has none then.
///
/// Refused with the numbers of points from 1, as OBJ files count them: an edge that would vanish, points that would
/// meet only by way of others, more than 64 points in a cube of that edge, and what is no surface any more (an edge of
/// three triangles or of two that are turned differently, a triangle without area). Time goes with #P log #P.
/// `numbers`: of each point in its file, from 0, for messages; empty: the same.
Expected<WeldedMesh> weldPoints(const TriangleMesh& mesh, double distance, double scale,
                                std::span<const Index> numbers = {});

}  // namespace clothlab::geometry
