#pragma once

#include "base/worker_pool.hpp"
#include "linalg/linear_system.hpp"

namespace clothlab::solvers {

/// |S(b - A dv)|_2 / |S(b - A (I-S) z)|_2: the common measure of all solvers. 0 / 0 counts as 0;
/// not finite if a number is not, or if a norm overflows.
double trueRelativeResidual(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV);

/// r = S(b - A dv), kg m/s; returns |S(b - A (I-S) z)|_2, its reference.
double residual(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV, linalg::BlockVector& r);

/// lambda = A dv - b, the impulse of the constraints in N s ([B] §3.4.2): force = lambda / h for the
/// symmetric backward Euler form. S lambda ~ 0.
void constraintImpulse(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV,
                       linalg::BlockVector& lambda, WorkerPool& pool);

}  // namespace clothlab::solvers
