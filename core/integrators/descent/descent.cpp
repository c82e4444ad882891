#include "integrators/descent/descent.hpp"

#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "base/stage_timer.hpp"
#include "integrators/traits.hpp"

namespace clothlab::integrators {

bool Descent::take(const IntegratorSettings& settings) {
    if (settings.kind != settings_.kind) return false;
    settings_ = settings;
    return true;
}

std::string Descent::iterate(const Way& way, int count, StepOutcome* outcome, bool again) {
    if (std::string why = start(way, again); !why.empty()) return why;
    StageTimer timer;
    for (int k = 0; k < count; ++k) {
        if (way.context.control.stop.stop_requested()) return "stopped";
        Pass pass = advance(way);
        if (!std::isfinite(pass.merit)) return "a force or a position of the step is not finite";
        if (!pass.problem.empty()) return std::move(pass.problem);
        if (k == 0 && !again) first_ = pass.merit;
        if (pass.merit == 0) return {};
        if (outcome)
            outcome->outer.push_back(
                {.merit = pass.merit / first_, .solveIterations = pass.solves, .seconds = timer.lap()});
        if (way.context.observeIterate) way.context.observeIterate(way.x, way.objective);
    }
    return {};
}

namespace {

/// After contacts have changed it continues from the last iterate, with this fraction (1/n) of its iterations.
constexpr int kShareAgain = 2;
/// Round-off of a gradient that was nothing from the start, kg m.
constexpr double kNothing = 1e-15;

/// A method that goes down an energy and ends where its gradient is no smaller has not come down.
void judge(double atStart, double atEnd, StepOutcome& outcome) {
    const bool down = atEnd < atStart || atEnd < kNothing;
    outcome.status = down ? StepStatus::Ok : StepStatus::Unconverged;
    outcome.message = down ? ""
                           : fmt::format(
                                 "The gradient of the step's energy is {:.1g} times what it was at the "
                                 "start: more iterations are needed.",
                                 atEnd / atStart);
}

}  // namespace

void Descent::step(const SimulationState& state, StepContext& context, SimulationState& out, StepOutcome& outcome) {
    const Plan plan = this->plan();
    StepContext part = context;
    part.dt = context.dt / plan.substeps;
    const double kept = plan.substeps == 1 ? plan.velocityKept : std::pow(plan.velocityKept, 1.0 / plan.substeps);
    const bool minimizes = traitsFor(settings_.kind).minimizes;
    SimulationState before;
    for (int s = 0; s < plan.substeps; ++s) {
        if (s > 0) before = std::exchange(out, {});
        const SimulationState& from = s > 0 ? before : state;
        objective_.begin(from, part, settings_, kept, out, outcome);
        StageTimer timer;
        x_ = objective_.inertia();
        objective_.project(x_);
        if (context.observeIterate) context.observeIterate(x_, objective_);
        const Way way{objective_, from, part, x_};
        const double atStart = minimizes ? objective_.residual(x_, context.pool) : 0;
        std::string problem;
        bool again = false;
        do {
            if (again && !minimizes) {  // what it goes down is no function of the place alone: from the start
                outcome.outer.clear();
                x_ = objective_.inertia();
            }
            objective_.project(x_);
            settle(way);
            const int count = again && minimizes ? (plan.iterations + kShareAgain - 1) / kShareAgain : plan.iterations;
            problem = iterate(way, count, &outcome, again);
            settle(way);
            again = problem.empty() && objective_.reconsider(x_, from, part, out, outcome);
        } while (again);
        if (minimizes && problem.empty()) judge(atStart, objective_.residual(x_, context.pool), outcome);
        outcome.solveSeconds += timer.lap();
        report(outcome);
        outcome.solve.totalSeconds = outcome.solveSeconds;
        if (!problem.empty()) {
            const bool stopped = context.control.stop.stop_requested();
            outcome.solve.status = stopped ? solvers::SolveStatus::Cancelled : solvers::SolveStatus::Breakdown;
            outcome.status = StepStatus::SolveFailed;
            outcome.message = std::move(problem);
            return;
        }
        objective_.finish(x_, from, part, out);
        leave(out);
        outcome.contactSeconds += timer.lap();
    }
    context.environment = part.environment;
    outcome.substeps = plan.substeps;
    if (plan.substeps == 1) return;
    out.time = state.time + context.dt;
    out.step = state.step + 1;
    out.deltaV.flat() = out.v.flat() - state.v.flat();
}

}  // namespace clothlab::integrators
