#include <utility>

#include "base/stage_timer.hpp"
#include "integrators/linear_implicit.hpp"
#include "integrators/several_solves.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

/// A linear step again, linearized at its own candidate (docs/methods/integrators.md, 5.15).
namespace clothlab::integrators {

void LinearImplicit::placeForces(const SimulationState& state, const Lengths& lengths, WorkerPool& pool) {
    const double a = lengths.a, perDeltaV = a * a / lengths.c;
    if (y_.size() != state.x.size()) y_.resize(state.x.size());
    parallelRows(pool, state.x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const Vec3 drift = lengths.twoSteps ? Vec3(drift_[i]) : Vec3(a * state.v[i]);
            y_[i] = state.x[i] + drift + perDeltaV * deltaV_[i];
        }
    });
}

/// What is explicit acts as at the start of the step, wherever the rest is linearized.
void LinearImplicit::addExplicitOfStart(const SimulationState& state, double c, StepContext& context) {
    const bool some =
        context.environment.wind.dragCoefficient > 0 ||
        context.forces.implicitSprings() + context.forces.brokenSprings() < Index(context.model.springs.size()) ||
        traitsOf(settings_.kind).explicitPart == ExplicitPart::ByFamily;
    if (!some) return;
    context.forces.explicitForces(context.environment, state.x, state.v, explicitStart_, context.pool);
    context.forces.explicitForces(context.environment, y_, state.v, explicitThere_, context.pool);
    parallelRows(context.pool, b_.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) b_[i] += c * (explicitStart_[i] - explicitThere_[i]);
    });
}

void LinearImplicit::assembleAt(const SimulationState& state, const Lengths& lengths, StepContext& context) {
    const auto [a, c, twoSteps] = lengths;
    if (!pairsAtStart_.empty()) {  // a pair's force is linear: the same one, taken at y
        pairsThere_ = pairsAtStart_;
        for (mechanics::PairTerm& p : pairsThere_)
            if (p.implicit) p.force += p.stiffness * ((y_[p.j] - state.x[p.j]) - (y_[p.i] - state.x[p.i]));
        context.forces.setPairs(pairsThere_);
    }
    context.forces.setSlackJacobians(true);
    context.forces.assemble(context.environment, {y_, state.v, deltaV_},
                            {.damping = a, .stiffness = a * a, .force = c, .stiffnessVector = -a * a}, {A_, b_},
                            context.pool);
    context.forces.setSlackJacobians(false);
    if (twoSteps) addPast(state, c, context);
    addExplicitOfStart(state, c, context);
    parallelRows(context.pool, b_.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) b_[i] += friction_[i];
    });
}

void LinearImplicit::repeat(const SimulationState& state, const Lengths& lengths, const linalg::LinearSystem& system,
                            StepContext& context, StepOutcome& outcome) {
    StageTimer timer;
    placeForces(state, lengths, context.pool);
    if (context.forces.changedSprings(state.x, y_, context.pool) == 0) return;
    for (Index i = 0; i < b_.size(); ++i) friction_[i] = b_[i] - friction_[i];
    pairsAtStart_.assign(context.forces.pairs().begin(), context.forces.pairs().end());
    for (int pass = 0; pass < settings_.activeSet; ++pass) {
        if (pass > 0 && context.forces.changedSprings(linearizedAt_, y_, context.pool) == 0) break;
        linearizedAt_ = y_;
        assembleAt(state, lengths, context);
        candidate_ = deltaV_;
        linalg::LinearSystem again{.A = A_,
                                   .b = b_,
                                   .constraints = system.constraints,
                                   .core = system.core,
                                   .previous = &candidate_,
                                   .icShift = outcome.solve.icShift,
                                   .velocity = system.velocity,
                                   .dt = system.dt};
        const double scale = solvers::residual(again, candidate_, residual_);
        const double merit = scale > 0 ? residual_.flat().norm() / scale : 0;
        outcome.assembleSeconds += timer.lap();
        const solvers::SolveSummary before = std::exchange(outcome.solve, {});
        context.solver->solve(again, deltaV_, outcome.solve, context.control, context.pool);
        outcome.outer.push_back(
            {.merit = merit, .solveIterations = outcome.solve.iterations, .seconds = outcome.solve.totalSeconds});
        addWork(outcome.solve, before);
        if (!solvers::acceptable(outcome.solve.status)) break;
        timer.lap();
        placeForces(state, lengths, context.pool);
    }
    if (!pairsAtStart_.empty()) context.forces.setPairs(pairsAtStart_);
}

}  // namespace clothlab::integrators
