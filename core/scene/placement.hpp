#pragma once

#include "linalg/block_vector.hpp"
#include "scene/scene.hpp"

/// Positions of the particles of a cloth before anything moves, in the cloth's own numbering: row by row for a grid,
/// point by point of a mesh's file or of a solid, which must be finished (makeCloth).
namespace clothlab::scene {

/// The spacing of the rows, which is the mean along the columns.
double gridSpacing(const ClothPatch& grid);
/// The places of the columns of a graded grid at rest, m from the first on; empty if they are even.
std::vector<double> columnPlaces(const ClothPatch& grid);

/// The mesh of a cloth in its own frame, welded if the cloth says so.
const geometry::TriangleMesh& patchMesh(const ClothPatch& cloth);
/// The points of a mesh or a solid, in its own frame.
const std::vector<Vec3>& patchPoints(const ClothPatch& cloth);
/// Whether the mesh is welded with the cloth's current values.
bool isWelded(const ClothPatch& cloth);

/// Positions at rest, which define the rest lengths.
linalg::BlockVector restPositions(const ClothPatch& cloth);
/// Positions at the start without noise: a gathered grid in pleats, or the grid in a knot.
linalg::BlockVector startPositions(const ClothPatch& cloth);
/// Unit vectors along which noise moves the particles: one for a whole grid, one per particle of a mesh.
std::vector<Vec3> startNormals(const ClothPatch& cloth);

}  // namespace clothlab::scene
