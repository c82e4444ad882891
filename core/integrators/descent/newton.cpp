#include "integrators/descent/newton.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/stage_timer.hpp"
#include "integrators/descent/line_search.hpp"
#include "integrators/several_solves.hpp"
#include "linalg/vector_kernels.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::integrators {
namespace {

/// Where no step makes g smaller from there on, it is round-off that does not let it.
constexpr double kCloseEnough = 1e-6;
/// Eisenstat and Walker (1996), choice 2, and their safeguard.
constexpr double kForcing = 0.9, kLargestForcing = 0.5, kSafeguard = 0.1;

}  // namespace

double Newton::firstIterate(const SimulationState& state, StepContext& context) {
    x_ = objective_.inertia();
    objective_.project(x_);
    const double norm = filteredGradient(context.pool);
    if (settings_.newton.bootstrap > 0) {  // what cannot be a start is found by Newton's own look at it
        StepContext atOnce = context;
        atOnce.factorMaker = nullptr;
        atOnce.adoption = FactorAdoption::WhenReady;
        bootstrap_.iterate({objective_, state, atOnce, x_}, settings_.newton.bootstrap);
    }
    return norm;
}

double Newton::filteredGradient(WorkerPool& pool) {
    objective_.gradient(x_, gradient_, pool);
    objective_.filter(gradient_);
    return std::sqrt(linalg::dot(gradient_, gradient_, pool));
}

/// What |grad g| is where positions are exact to the last digits: masses times so much of the size of the scene.
double Newton::roundOff(const cloth::ClothModel& model) const {
    const Eigen::Map<const Eigen::VectorXd> mass(model.mass.data(), Eigen::Index(model.mass.size()));
    return 1e-13 * mass.norm() * x_.flat().lpNorm<Eigen::Infinity>();
}

double Newton::innerTolerance(const Iteration& now) const {
    if (settings_.newton.inner == NewtonTolerance::Fixed) return 0;
    if (now.k == 0) return kLargestForcing;
    const double ratio = now.norm / lastNorm_;
    double forcing = kForcing * ratio * ratio;
    const double before = kForcing * lastTolerance_ * lastTolerance_;
    if (before > kSafeguard) forcing = std::max(forcing, before);
    // No more exactly than what is left to do.
    const double enough = 0.5 * settings_.newton.tolerance * now.first / now.norm;
    return std::clamp(std::max(forcing, enough), 1e-12, kLargestForcing);
}

bool Newton::solve(const Iteration& now, StepContext& context, StepOutcome& outcome) {
    StageTimer timer;
    if (now.freshMatrix) hessian_.assemble(objective_, x_, now.k, context.pool);
    if (b_.size() != x_.size()) b_.resize(x_.size());
    b_.flat() = gradient_.flat() * (-1 / objective_.a());
    outcome.assembleSeconds += timer.lap();

    lastTolerance_ = innerTolerance(now);
    linalg::LinearSystem system{.A = hessian_.matrix(),
                                .b = b_,
                                .constraints = free_,
                                .core = &context.forces.coreMask(),
                                .positions = &x_,
                                .dt = context.dt,
                                .tolerance = lastTolerance_,
                                .sameMatrix = !now.freshMatrix};
    solvers::SolveSummary solve;
    while (true) {
        context.solver->solve(system, deltaV_, solve, context.control, context.pool);
        outcome.solveSeconds += solve.totalSeconds;
        addWork(solve, outcome.solve);
        outcome.solve = solve;
        const bool usable = solvers::acceptable(solve.status);
        if (usable && deltaV_.flat().dot(gradient_.flat()) < 0) break;
        const bool indefinite =
            solve.status == solvers::SolveStatus::Indefinite || solve.status == solvers::SolveStatus::Breakdown;
        if (!(usable || indefinite) || !hessian_.correct(context.model)) {
            outcome.status = StepStatus::SolveFailed;
            outcome.message = solve.message.empty() ? "Newton's direction does not make the energy of the step smaller"
                                                    : solve.message;
            return false;
        }
        system.sameMatrix = false;
    }
    if (outcome.solve.trueRelativeResidual < 0)
        outcome.solve.trueRelativeResidual = solvers::trueRelativeResidual(system, deltaV_);
    return true;
}

double Newton::goDown(StepContext& context) {
    const double slope = objective_.a() * linalg::dot(gradient_, deltaV_, context.pool);
    const DescentLine line{.x = x_, .direction = deltaV_, .slope = slope, .unit = objective_.a()};
    const double share = searchLine(objective_, line, 1, value_, trial_, context.pool);
    if (share == 0) return 0;
    std::swap(x_, trial_);
    hessian_.taken(share);
    return share;
}

void Newton::stopped(StepOutcome& outcome) {
    outcome.solve.status = solvers::SolveStatus::Cancelled;
    outcome.status = StepStatus::SolveFailed;
    outcome.message = "stopped";
}

bool Newton::descend(const SimulationState& state, StepContext& context, StepOutcome& outcome, Iteration& now,
                     bool again) {
    free_ = objective_.stage().constraints().homogeneous();
    StageTimer timer, whole;
    now = {.first = again ? now.first : firstIterate(state, context)};
    if (again) objective_.project(x_);  // it goes on from where it is
    value_ = objective_.value(x_, context.pool);
    now.norm = filteredGradient(context.pool);
    outcome.assembleSeconds += timer.lap();
    const double enough = std::max(settings_.newton.tolerance * now.first, roundOff(context.model));
    if (context.observeIterate && !again) context.observeIterate(x_, objective_);
    bool moves = true;
    while (now.k < settings_.newton.maxIterations && now.norm > enough && moves) {
        if (context.control.stop.stop_requested()) {
            stopped(outcome);
            return false;
        }
        now.freshMatrix = now.k == 0 || settings_.newton.matrix == NewtonMatrix::EachIteration;
        const double share = solve(now, context, outcome) ? goDown(context) : -1;
        if (share < 0) return false;
        moves = share > 0;
        timer.lap();
        outcome.outer.push_back(
            {.merit = now.norm / now.first, .solveIterations = outcome.solve.iterations, .seconds = whole.lap()});
        lastNorm_ = now.norm;
        now.norm = filteredGradient(context.pool);
        ++now.k;
        outcome.assembleSeconds += timer.lap();
        if (context.observeIterate) context.observeIterate(x_, objective_);
    }
    if (!std::isfinite(now.norm)) {
        outcome.status = StepStatus::SolveFailed;
        outcome.message = "a force or a position of the step is not finite";
        return false;
    }
    now.missed = now.norm > enough && (moves || now.norm > kCloseEnough * now.first);
    return true;
}

void Newton::step(const SimulationState& state, StepContext& context, SimulationState& out, StepOutcome& outcome) {
    objective_.begin(state, context, settings_, 1, out, outcome);
    Iteration now;
    for (bool again = false; !again || objective_.reconsider(x_, state, context, out, outcome); again = true) {
        outcome.outer.clear();  // what is told are the iterations that count
        if (!descend(state, context, outcome, now, again)) return;
    }
    if (now.missed) {
        outcome.status = StepStatus::Unconverged;
        outcome.message =
            fmt::format("Newton: the gradient fell to {:.1e} of its start in {} iterations, not to {:.1e}",
                        now.norm / now.first, now.k, settings_.newton.tolerance);
    }
    if (outcome.solve.status == solvers::SolveStatus::NotRun)  // it was there already
        solvers::conclude(outcome.solve, 0, 1);
    const StageTimer timer;
    objective_.finish(x_, state, context, out);
    outcome.contactSeconds += timer.seconds();
    if (context.keepSystem && hessian_.matrix().hasPattern() && now.k > 0)
        outcome.system = std::make_shared<linalg::FrozenSystem>(linalg::FrozenSystem{.A = hessian_.matrix(),
                                                                                     .core = context.forces.coreMask(),
                                                                                     .b = b_,
                                                                                     .previous = {},
                                                                                     .deltaV = deltaV_,
                                                                                     .constraints = free_,
                                                                                     .positions = x_,
                                                                                     .icShift = 0,
                                                                                     .dt = context.dt,
                                                                                     .step = int(state.step) + 1,
                                                                                     .reach = objective_.a()});
}

}  // namespace clothlab::integrators
