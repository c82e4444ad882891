#pragma once

#include "solvers/solver.hpp"

/// Where a solve is called converged, and nowhere else: `SolveStatus::Converged` is written in verdict.cpp alone.
namespace clothlab::solvers {

/// Converged if the residual is finite and not above a finite limit; NotFinite if either is NaN or infinite; else
/// Stalled. Both in the same norm, squared or not.
SolveStatus verdict(double residual, double limit);

/// Whether a residual ends a solve.
inline bool meets(double residual, double limit) { return converged(verdict(residual, limit)); }

/// What a direct solver leaves at worst, relative.
inline constexpr double kRoundOff = 1e-12;

/// The tolerance that a result of this solver is held to, on a system of a step of `dt` seconds (0: of no step; c h^2
/// is then c). A direct solver does not iterate towards one: it leaves round-off, and is asked for no less than 1e-12.
double toleranceOf(const SolverSettings& settings, double dt = 0);
/// The same for a system, which may ask for another one.
double toleranceOf(const SolverSettings& settings, const linalg::LinearSystem& system);

/// Ends a solve, or looks again at one that claims an acceptable end: by its true relative residual, dimensionless. The
/// message says what was found where that is not convergence.
void conclude(SolveSummary& summary, double trueRelativeResidual, double tolerance);

/// What makes a system none: sizes that differ, a constraint whose directions are no unit vectors or whose z is not
/// finite. Empty if there is nothing of the kind. A and b are not looked at: what is not finite there shows in the
/// residual.
std::string faultOf(const linalg::LinearSystem& system);

}  // namespace clothlab::solvers
