#pragma once

#include "solvers/solver.hpp"

/// The only place that declares convergence: `SolveStatus::Converged` is set in verdict.cpp only.
namespace clothlab::solvers {

/// Converged if the residual is finite and not above a finite limit; NotFinite if either is NaN or infinite; else
/// Stalled. Both are in the same norm, squared or not.
SolveStatus verdict(double residual, double limit);

/// Whether a residual ends a solve.
inline bool meets(double residual, double limit) { return converged(verdict(residual, limit)); }

/// Smallest tolerance of a direct solver, relative: its round-off.
inline constexpr double kRoundOff = 1e-12;

/// The tolerance for a result of this solver, on a system of a step of `dt` seconds (0: of no step; c h^2 is then c). A
/// direct solver does not iterate towards one: it reaches round-off, so its tolerance is never below kRoundOff.
double computeTolerance(const SolverSettings& settings, double dt = 0);
/// The same for a system, which may have its own.
double computeTolerance(const SolverSettings& settings, const linalg::LinearSystem& system);

/// Ends a solve, or rechecks one that claims an acceptable end: by its true relative residual, dimensionless. The
/// message gives the finding if that is not convergence.
void conclude(SolveSummary& summary, double trueRelativeResidual, double tolerance);

/// Why a system is invalid: sizes that differ, a constraint whose directions are no unit vectors or whose z is not
/// finite. Empty if it is valid. A and b are not checked: values that are not finite show in the residual.
std::string describeFault(const linalg::LinearSystem& system);

}  // namespace clothlab::solvers
