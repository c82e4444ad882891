#pragma once

#include "integrators/descent/step_objective.hpp"

namespace clothlab::integrators {

/// A line x + t unit d down the step's energy g.
struct DescentLine {
    const linalg::BlockVector& x;
    const linalg::BlockVector& direction;
    double slope;     ///< dg/dt at t = 0, less than 0
    double unit = 1;  ///< factor of the direction
};

/// Halves t from `first` on until g falls by 1e-4 t |slope| (Armijo). Leaves x + t unit d in `trial` and its g in
/// `value`, which is g at x before. Returns t; 0: no t makes g smaller, and `value` stays.
double searchLine(StepObjective& objective, const DescentLine& line, double first, double& value,
                  linalg::BlockVector& trial, WorkerPool& pool);

}  // namespace clothlab::integrators
