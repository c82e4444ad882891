#include "solvers/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solvers/catalogue.hpp"

namespace clothlab::solvers {

SolveStatus verdict(double residual, double limit) {
    if (!std::isfinite(residual) || !std::isfinite(limit)) return SolveStatus::NotFinite;
    return residual <= limit ? SolveStatus::Converged : SolveStatus::Stalled;
}

double computeTolerance(const SolverSettings& settings, double dt) {
    const double scale = settings.toleranceRule == ToleranceRule::StepSquared && dt > 0 ? dt * dt : 1.0;
    const double tolerance = scale * settings.tolerance;
    return iterates(settings.kind) ? tolerance : std::max(tolerance, kRoundOff);
}

double computeTolerance(const SolverSettings& settings, const linalg::LinearSystem& system) {
    double tolerance = system.tolerance > 0 ? system.tolerance : computeTolerance(settings, system.dt);
    if (system.finest > 0 && settings.stopping != Stopping::Absolute) tolerance = std::min(tolerance, system.finest);
    return iterates(settings.kind) ? tolerance : std::max(tolerance, kRoundOff);
}

void conclude(SolveSummary& summary, double trueRelativeResidual, double tolerance) {
    summary.trueRelativeResidual = trueRelativeResidual;
    const SolveStatus found = verdict(trueRelativeResidual, tolerance);
    if (converged(found)) {
        if (summary.status == SolveStatus::NotRun) summary.status = found;
        return;
    }
    if (summary.status != SolveStatus::NotRun && !converged(summary.status) && found != SolveStatus::NotFinite) return;
    summary.status = found;
    summary.message =
        found == SolveStatus::NotFinite
            ? "the residual is not finite: A, b or z has a number that is not finite or whose square overflows"
            : fmt::format("the true residual is {:.2e}, above {:.2e}", trueRelativeResidual, tolerance);
}

std::string describeFault(const linalg::LinearSystem& system) {
    const Index rows = system.A.rows();
    if (system.b.size() != rows || system.constraints.particles() != rows)
        return fmt::format("the matrix has {} particles, b {}, the constraints {}", rows, system.b.size(),
                           system.constraints.particles());
    for (const linalg::DofConstraint& c : system.constraints.constrained())
        if (!linalg::wellFormed(c))
            return fmt::format(
                "the constraint of particle {} (ndof {}) is invalid: its normals must be unit vectors at right angles, "
                "and z must be finite",
                c.particle, c.ndof);
    return {};
}

}  // namespace clothlab::solvers
