#include "panels/plots/residual_words.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "experiments/race/race.hpp"
#include "model/method_styles.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/verdict.hpp"
#include "widgets/numbers.hpp"

namespace clothlab::app::panels {

using model::methodStyle;
using worker::Snapshot;

namespace {

using simulation::StepReport;

/// Why a step has no curve.
std::string noCurve(const Snapshot& now) {
    const StepReport& report = now.report;
    if (report.solveStatus == solvers::SolveStatus::Refused) return "refused: nothing was solved";
    if (std::string why = integrators::whyNoSolver(report.methods.integrator); !why.empty()) return why;
    if (now.step == 0 && !integrators::hasFailed(report.status)) return "the start: no step yet";
    if (report.uncoupled && report.explicitSprings > 0) return "no spring is implicit: nothing to solve";
    if (report.solveStatus != solvers::SolveStatus::NotRun && !solvers::iterates(report.methods.solver.kind))
        return "a direct solver does not iterate";
    if (report.solveStatus != solvers::SolveStatus::NotRun && !solvers::usesPreconditioner(report.methods.solver.kind))
        return "this solver reports no residuals";
    return "not kept for this step";
}

}  // namespace

bool methodsChanged(const Snapshot& now) {
    return !now.report.methods.sameAs({now.settings.integrator.kind, now.settings.solver, now.settings.preconditioner});
}

ResidualWords residualWords(const Snapshot& now) {
    const StepReport& report = now.report;
    const auto& [integrator, solver, preconditioner] = report.methods;
    ResidualWords words;
    words.style = methodStyle(solver.kind, preconditioner.kind);
    words.method = experiments::Contestant{.method = {solver, preconditioner}}.label();
    words.iterates =
        report.methods.usesSolver() && solvers::iterates(solver.kind) && solver.stopping == solvers::Stopping::Residual;
    words.tolerance = solvers::computeTolerance(solver, report.dt);
    if (now.residualHistory.empty()) {
        words.empty = noCurve(now);
        return words;
    }
    // A step may solve more than once, for contact or in Newton's loop: the curve is of its last solve.
    const std::string count = widgets::formatNumber(report.iterations, 7);
    words.caption = {words.method,
                     report.linearIterations > report.iterations
                         ? fmt::format("{} of {} iterations", count, widgets::formatNumber(report.linearIterations, 7))
                         : fmt::format("{} iteration{}", count, plural(report.iterations))};
    if (integrators::hasFailed(report.status)) words.caption.back() += ", failed";
    if (methodsChanged(now)) words.caption.emplace_back("before the change");
    words.note =
        report.trueRelativeResidual >= 0 ? "true " + widgets::formatNumber(report.trueRelativeResidual, 2) : "";
    words.noteHelp =
        "The true relative residual |S(b - A dv)| / |S(b - A (I-S) z)| of what the solver returned, computed from the "
        "matrix itself. The curve is the estimate that the method keeps while it iterates.";
    if (report.linearIterations > report.iterations)
        words.noteHelp +=
            " The step has solved more than once, for contact or in an outer loop: this is its last solve.";
    return words;
}

}  // namespace clothlab::app::panels
