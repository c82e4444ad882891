#pragma once

#include <vector>

#include "solvers/solver.hpp"

namespace clothlab::solvers {

/// The error of each iterate in the norm that conjugate gradients minimize, |e|_A with e = dv - dv_k, from two numbers
/// per iteration: each takes alpha r.z off its square ([HestenesStiefel] theorem 6:1; that the sum holds in floating
/// point, too: [StrakosTichy]), so that
///
///     |e_k|_A^2 = |e_n|_A^2 + sum_{j=k}^{n-1} alpha_j r_j.z_j
///
/// where n is the last iterate. It is this norm that Chen's (37) bounds, not that of the residual.
class EnergyErrors {
public:
    /// Feed every iterate. A second loop, which begins where the first one ended, continues it.
    void observe(const Iterate& iterate) {
        if (iterate.k > 0) decreases_.push_back(iterate.alpha * iterate.rz);
    }
    /// |e_k|_A / |e_0|_A for k = 0..n; `last2` is |e_n|_A^2. Empty if the numbers are not finite.
    std::vector<float> relative(double last2) const;

private:
    std::vector<double> decreases_;
};

/// |dv - dv_n|_A^2 = (dv - dv_n).S(b - A dv_n), J, for a deltaV that meets the constraints, against the `solution`.
double energyError2(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV,
                    const linalg::BlockVector& solution);

}  // namespace clothlab::solvers
