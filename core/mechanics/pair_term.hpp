#pragma once

#include "base/types.hpp"

namespace clothlab::mechanics {

/// What two particles i < j do to each other in this step besides the springs of the mesh, as it reaches assembly.
///
/// Sign convention of cloth::ForceModel: f_i = +force, f_j = -force, J = d(force)/dx_j and V = d(force)/dv_j, both
/// symmetric (to the last bit) and positive semidefinite, so that A = M - h D - h^2 K gets +(h^2 J + h V) on the two
/// diagonal blocks and its negative on the two others.
struct PairTerm {
    Index i, j;
    Vec3 force = Vec3::Zero();      ///< N, on i, elastic part and damping
    Mat3 stiffness = Mat3::Zero();  ///< J, N/m
    Mat3 damping = Mat3::Zero();    ///< V, N s/m
    bool implicit = true;           ///< J and V enter the matrix
    bool inCore = true;             ///< its block belongs to the matrix core
};

}  // namespace clothlab::mechanics
