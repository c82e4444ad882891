#pragma once

#include <functional>
#include <stop_token>

#include "base/worker_pool.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::integrators {
class StepObjective;
}

/// The minimum of the energy g of an implicit step (methods §12.1), to round-off, however wrinkled the cloth.
///
/// g is not convex where springs are compressed. Newton with the clamped Hessian H_c then creeps, and the exact one, H,
/// made definite by a multiple of I, creeps too: each wrinkle that has yet to buckle is a direction of its own. Here
/// the matrix is t H + (1 - t) H_c with t as near to 1 as lets it be definite, so that wrinkles buckle by steps of
/// their own size, and the end is quadratic. It serves to know the minimum; no integrator uses it.
namespace clothlab::experiments {

struct StepMinimum {
    linalg::BlockVector x;  ///< m
    double value = 0;       ///< g, kg m^2
    double gradient = 0;    ///< |S grad g| there, relative to that at the start
    double milliseconds = 0;
    int iterations = 0;
    bool found = false;  ///< else it ended before, at the lowest value so far
};

struct MinimumControl {
    int maxIterations = 500;
    double maxSeconds = 60;
    std::stop_token stop = {};
    std::function<void()> hold = {}, release = {};      ///< around each iteration
    std::function<void(int, double)> onIteration = {};  ///< how many, and what of the gradient is left
};

/// From x on; `dt` is the length of the step, s.
StepMinimum minimize(integrators::StepObjective& objective, linalg::BlockVector x, double dt,
                     const MinimumControl& control, WorkerPool& pool);

}  // namespace clothlab::experiments
