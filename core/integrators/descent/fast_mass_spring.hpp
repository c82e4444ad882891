#pragma once

#include "integrators/descent/acceleration.hpp"
#include "integrators/descent/prefactored_descent.hpp"

namespace clothlab::integrators {

/// Local/global iterations on the step's energy g ([L] §4; methods §12.2), in increments:
///
///     F (x_(k+1) - x_k) = -grad g(x_k)
///
/// For linear springs, one-sided or not, this is the alternation of the paper: the local step is in the force of each
/// spring, whose direction is its minimizer d_e. As F is no less than the Hessian anywhere (prefactored_matrix.hpp), g
/// never rises; if an accelerated iterate raises it, the plain one is taken.
class FastMassSpring final : public PrefactoredDescent {
public:
    explicit FastMassSpring(const IntegratorSettings& settings) : PrefactoredDescent(settings) {}

private:
    void begin(StepObjective& objective, const linalg::BlockVector& x, WorkerPool& pool) override;
    int next(const Iteration& now) override;

    FixedPointAcceleration acceleration_{Acceleration::None, 0};
    linalg::BlockVector increment_;
    double value_ = 0;  // of g at x, where iterates are accelerated
};

}  // namespace clothlab::integrators
