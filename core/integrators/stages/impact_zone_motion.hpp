#pragma once

#include <span>
#include <vector>

#include "integrators/state/state.hpp"
#include "linalg/block_matrix.hpp"
#include "mechanics/prescribed.hpp"

/// The motion of an impact zone in the step after the one that made it: its particles are in the solve with ndof 0
/// ([Y] §7) and need a z. z = 0 would switch gravity off, and the balance of a loose body (v_c + h sum f / sum m)
/// ignores that a stiff sheet pulls at the zone: a hanging one explodes within a few steps. So the zone's momentum
/// balance is that of the system itself, restricted to rigid motions:
///
///     (R^T A_zz R) y = R^T b_z,    z = R y
///
/// with the columns of R an orthonormal basis of the six rigid motions of the zone (five on a line), and A_zz its
/// rows and columns of A (docs/methods/contact.md).
namespace clothlab::integrators {

/// The linear system of the step.
struct ZoneBalance {
    const linalg::BlockMatrix* A;  ///< null: diag(mass)
    std::span<const double> mass;  ///< kg
    const linalg::BlockVector& b;  ///< kg m/s, with friction
    double dt;                     ///< s
};

/// Appends the members of the zones of `state` that nothing in `prescribed` holds yet, with ndof 0. Held members
/// lead: the zone's motion is the rigid one nearest to theirs in the directions in which they are held.
void prescribeZones(const SimulationState& state, const ZoneBalance& balance,
                    std::vector<mechanics::Prescribed>& prescribed);

}  // namespace clothlab::integrators
