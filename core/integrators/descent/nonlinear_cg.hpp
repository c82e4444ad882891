#pragma once

#include "integrators/descent/prefactored_descent.hpp"

namespace clothlab::integrators {

/// Nonlinear conjugate gradients on the step's energy g, preconditioned by the prefactored F (methods §12.8):
///
///     z = -F^-1 grad g,   d <- z + beta d,   beta = max(0, z.(grad g_(k-1) - grad g_k) / z_(k-1).(-grad g_(k-1)))
///
/// (Polak and Ribière, in the product of F^-1). The first length tried is the minimizer of the quadratic model along d,
/// -grad g.d / (d.H+ d), H+ the clamped Hessian; then Armijo's rule. It restarts from z if d is no descent direction.
/// Its memory is one earlier iteration.
class NonlinearCg final : public PrefactoredDescent {
public:
    explicit NonlinearCg(const IntegratorSettings& settings) : PrefactoredDescent(settings) {}

private:
    void begin(StepObjective& objective, const linalg::BlockVector& x, WorkerPool& pool) override;
    int next(const Iteration& now) override;

    linalg::BlockVector z_, rest_, direction_, lastDescent_;
    double lastSize_ = 0;  // z.(-grad g) of the iteration before; 0: there is none
    double value_ = 0;
};

}  // namespace clothlab::integrators
