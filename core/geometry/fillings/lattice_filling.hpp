#pragma once

#include "base/errors.hpp"
#include "geometry/fillings/body.hpp"
#include "geometry/fillings/tetrahedral_mesh.hpp"

/// Fillings of a body with tetrahedra, at any resolution.
///
/// The inside is a body-centred cubic lattice, the corners and centres of cubes: each pair of neighbouring centres and
/// each edge of the face between them span a tetrahedron, all alike and nearly regular, and a point has 14 neighbours.
/// Where an edge of the lattice passes through the surface, the nearer end moves onto it (as in the isosurface stuffing
/// of Labelle and Shewchuk, with every crossing within reach of a point), so that no tetrahedron is cut. Then points
/// are evened out, and edges of the surface are halved until they are short enough: a fine skin over a coarser inside,
/// as in models made from a scanned surface.
namespace clothlab::geometry {

struct FillingSettings {
    double spacing = 0.05;      ///< m, edge of the lattice's cubes
    double surfaceSpacing = 0;  ///< m, longest edge of the surface; 0: that of the lattice
    Index mostPoints = 4'000'000;
};

/// Refuses, in words, too many points, and a lattice so coarse that the surface is not one closed sphere.
Expected<TetrahedralMesh> fillBody(const Body& body, const FillingSettings& settings);

/// Moves points, one after the other, toward the middle of their neighbours, those of the surface along it, unless a
/// tetrahedron would become too bad.
void evenOut(const Body& body, int sweeps, TetrahedralMesh& mesh);

/// Halves the longest edge of the surface, and with it all tetrahedra around it, until none is longer than `longest`
/// (m) or the mesh has `mostPoints`. New points lie on the surface of the body.
void refineSurface(const Body& body, double longest, Index mostPoints, TetrahedralMesh& mesh);

}  // namespace clothlab::geometry
