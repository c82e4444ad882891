#pragma once

#include <deque>

#include "integrators/descent/prefactored_descent.hpp"

namespace clothlab::integrators {

/// L-BFGS on the step's energy g, with the prefactored F as first metric (methods §12.8; Liu, Bouaziz and Kavan 2017):
/// the two-loop recursion over the last m pairs s = x_(k+1) - x_k, t = grad g_(k+1) - grad g_k, with F^-1 where
/// textbooks put a multiple of I. With m = 0 it is local/global. Line search is by Armijo's rule from 1 on; a pair with
/// s.t <= 0 is left out; where the recursion gives no descent direction, the pairs are dropped and F^-1 is used, along
/// which g always falls.
class LBfgs final : public PrefactoredDescent {
public:
    explicit LBfgs(const IntegratorSettings& settings) : PrefactoredDescent(settings) {}

private:
    struct Pair {
        linalg::BlockVector s, t;
        double curvature = 0;  ///< s.t
    };
    void begin(StepObjective& objective, const linalg::BlockVector& x, WorkerPool& pool) override;
    int next(const Iteration& now) override;
    /// Stores the pair of the last iteration.
    void remember(const Iteration& now);
    /// direction_ by the two-loop recursion; returns the number of solves with F, 0: one failed.
    int recur(const Iteration& now);

    std::deque<Pair> pairs_;  // the newest last
    linalg::BlockVector lastX_, lastDescent_, q_, direction_;
    double value_ = 0;
};

}  // namespace clothlab::integrators
