#include "integrators/descent.hpp"

#include <cmath>
#include <utility>

#include "base/stage_timer.hpp"

namespace clothlab::integrators {

bool Descent::take(const IntegratorSettings& settings) {
    if (settings.kind != settings_.kind) return false;
    settings_ = settings;
    return true;
}

std::string Descent::iterate(const Way& way, int count, StepOutcome* outcome) {
    if (std::string why = start(way); !why.empty()) return why;
    double first = 0;
    StageTimer timer;
    for (int k = 0; k < count; ++k) {
        if (way.context.control.stop.stop_requested()) return "stopped";
        Pass pass = advance(way);
        if (!std::isfinite(pass.merit)) return "a force or a position of the step is not finite";
        if (!pass.problem.empty()) return std::move(pass.problem);
        if (k == 0) first = pass.merit;
        if (pass.merit == 0) return {};
        if (outcome)
            outcome->outer.push_back(
                {.merit = pass.merit / first, .solveIterations = pass.solves, .seconds = timer.lap()});
        if (way.context.observeIterate) way.context.observeIterate(way.x, way.objective);
    }
    return {};
}

void Descent::step(const SimulationState& state, StepContext& context, SimulationState& out, StepOutcome& outcome) {
    const Plan plan = this->plan();
    StepContext part = context;
    part.dt = context.dt / plan.substeps;
    const double kept = plan.substeps == 1 ? plan.velocityKept : std::pow(plan.velocityKept, 1.0 / plan.substeps);
    SimulationState before;
    for (int s = 0; s < plan.substeps; ++s) {
        if (s > 0) before = std::exchange(out, {});
        const SimulationState& from = s > 0 ? before : state;
        objective_.begin(from, part, settings_, kept, out, outcome);
        StageTimer timer;
        x_ = objective_.inertia();
        objective_.project(x_);
        if (context.observeIterate) context.observeIterate(x_, objective_);
        std::string problem = iterate({objective_, from, part, x_}, plan.iterations, &outcome);
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
