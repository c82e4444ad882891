#pragma once

#include "linalg/block_vector.hpp"
#include "scene/scene.hpp"

/// Where the particles of a cloth are before anything moves, in the cloth's own numbering: row by row of a grid, point
/// by point of a mesh's file or of a solid, which has to be made (makeCloth).
namespace clothlab::scene {

/// Of the rows, and the mean along the columns.
double spacingOf(const ClothPatch& grid);
/// Where the columns of a graded grid are at rest, m from the first on; empty when they are even.
std::vector<double> columnPlaces(const ClothPatch& grid);

/// The mesh of a cloth in its own frame, welded where it is to be.
const geometry::TriangleMesh& meshOf(const ClothPatch& cloth);
/// Of a mesh or a solid, in its own frame.
const std::vector<Vec3>& pointsOf(const ClothPatch& cloth);
/// Whether the mesh is welded as the cloth now says.
bool isWelded(const ClothPatch& cloth);

/// At rest, from which rest lengths are taken.
linalg::BlockVector restPositions(const ClothPatch& cloth);
/// At the start without noise: a gathered grid lies in pleats, or the grid in a knot.
linalg::BlockVector startPositions(const ClothPatch& cloth);
/// Unit vectors along which noise moves the particles: one for all of a grid, one for each of a mesh.
std::vector<Vec3> startNormals(const ClothPatch& cloth);

}  // namespace clothlab::scene
