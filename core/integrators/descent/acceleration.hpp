#pragma once

#include <vector>

#include "base/worker_pool.hpp"
#include "integrators/nonlinear_settings.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::integrators {

/// Accelerates a fixed-point iteration: the next iterate from the plain one and earlier ones (methods §12.4):
///
///     Chebyshev   x_(k+1) = w_(k+1) (x^ - x_(k-1)) + x_(k-1),  w = 1 for k < 10, then 2/(2 - rho^2), 4/(4 - rho^2 w)
///     Anderson    x_(k+1) = x^ - sum of c_j (x^_k - x^_(k-j)), c the least squares of the last five increments
///
/// The caller judges the result, and calls `restart` where it takes the plain iterate instead.
class FixedPointAcceleration {
public:
    /// `rho`: Chebyshev's estimate of the spectral radius of the plain iteration.
    FixedPointAcceleration(Acceleration kind, double rho) : kind_(kind), rho_(rho) {}

    /// Forgets the iterates.
    void restart();
    /// `x` is the iterate, `increment` that of the plain iteration. Fills `next`; false: it is the plain one.
    bool propose(const linalg::BlockVector& x, const linalg::BlockVector& increment, linalg::BlockVector& next,
                 WorkerPool& pool);

private:
    static constexpr std::size_t kWindow = 5;
    static constexpr int kPlainFirst = 10;
    bool proposeChebyshev(const linalg::BlockVector& x, linalg::BlockVector& next);
    bool proposeAnderson(const linalg::BlockVector& increment, linalg::BlockVector& next, WorkerPool& pool);

    Acceleration kind_;
    double rho_;
    int count_ = 0;
    double omega_ = 1;
    linalg::BlockVector before_;  // x_(k-1)
    /// Changes of increments and plain iterates since the previous iterate, the newest last.
    std::vector<linalg::BlockVector> increments_, plains_;
    linalg::BlockVector lastIncrement_, lastPlain_;
};

}  // namespace clothlab::integrators
