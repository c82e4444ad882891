#pragma once

#include <string>

#include "base/enum_table.hpp"
#include "linalg/dof_constraints.hpp"

namespace clothlab::linalg {

/// The choice of the basis U_i of a particle's free directions: [Y] §3. With one free direction it is unique up to its
/// sign; with two, any rotation in the plane is as good for the reduced matrix, whose eigenvalues do not change, but
/// not for its diagonal.
enum class Basis : int { Robust, Printed, Random };
inline constexpr std::array kBases{
    EnumEntry{int(Basis::Robust), "robust", "robust", "Ye's basis in a form that loses no digit next to an axis."},
    EnumEntry{int(Basis::Printed), "printed", "as printed",
              "Ye (13) as printed: divides by zero for a removed direction of -x, and loses digits next to it; such a "
              "solve is refused."},
    EnumEntry{int(Basis::Random), "random", "random",
              "Turned by a random angle in the plane of the free directions, the same angle for the same particle."},
};
constexpr std::span<const EnumEntry> enumTable(Basis) { return kBases; }

/// Orthonormal basis U_i of the free directions (3 x ndof, in the first ndof columns; the others are zero): S = U U^T,
/// U^T U = I. For ndof 2 the default is a closed form with no special case but |p1| = 1. `Printed` is not
/// orthonormal, or not finite, next to p = (-1, 0, 0) (E-18): check with `basisProblem`.
Mat3 freeBasis(const DofConstraint& constraint, Basis basis = Basis::Robust);

/// Empty, or why U_i is no basis: a sentence for the user. The limit is 1e-6 on |U^T U - I| and |U^T p|.
std::string basisProblem(const DofConstraint& constraint, const Mat3& U);

}  // namespace clothlab::linalg
