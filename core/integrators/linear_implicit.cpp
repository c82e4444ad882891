#include "integrators/linear_implicit.hpp"

#include <cmath>

#include "base/stage_timer.hpp"
#include "integrators/schedule.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::integrators {

LinearImplicit::Lengths LinearImplicit::lengthsOf(const SimulationState& state, double h) const {
    if (startsAnew(coefficients_, state, h)) return {.a = h, .c = h, .twoSteps = false};
    return {.a = coefficients_.implicit * h / coefficients_.over,
            .c = coefficients_.acting * h / coefficients_.over,
            .twoSteps = coefficients_.past != 0};
}

void LinearImplicit::takePast(const SimulationState& state, double a, StepContext& context) {
    const Index n = state.x.size();
    for (linalg::BlockVector* v : {&deltaXBefore_, &deltaVBefore_, &drift_})
        if (v->size() != n) v->resize(n);
    parallelRows(context.pool, n, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            deltaXBefore_[i] = state.x[i] - state.xPrevious[i];
            deltaVBefore_[i] = state.v[i] - state.vPrevious[i];
        }
    });
    for (const contact::ParticleContact& c : state.contacts.contacts) {
        deltaXBefore_[c.particle] = context.dt * state.v[c.particle];
        deltaVBefore_[c.particle].setZero();
    }
    for (const Index i : state.collided) {
        deltaXBefore_[i] = context.dt * state.v[i];
        deltaVBefore_[i].setZero();
    }
    parallelRows(context.pool, n, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            drift_[i] = coefficients_.past * deltaXBefore_[i] / coefficients_.over + a * state.v[i];
    });
}

void LinearImplicit::addPast(const SimulationState& state, double c, linalg::BlockVector& b, StepContext& context) {
    const Index n = state.x.size();
    const std::vector<double>& mass = context.model.mass;
    const bool extrapolates = coefficients_.extrapolation != 0;
    if (extrapolates) {
        context.forces.explicitForces(context.environment, state.x, state.v, explicitNow_, context.pool);
        context.forces.explicitForces(context.environment, state.xPrevious, state.vPrevious, explicitBefore_,
                                      context.pool);
    }
    parallelRows(context.pool, n, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            b[i] += mass[i] * coefficients_.past / coefficients_.over * deltaVBefore_[i];
            if (extrapolates) b[i] += coefficients_.extrapolation * c * (explicitNow_[i] - explicitBefore_[i]);
        }
    });
}

void LinearImplicit::assemble(const SimulationState& state, const Lengths& lengths, StepContext& context) {
    const auto [a, c, twoSteps] = lengths;
    context.forces.setExplicit(explicitSprings_.choose(context.model, context.forces, context.dt));
    pairs_.find(context, state.x, {.end = state.time + context.dt, .dt = context.dt});
    pairs_.giveImplicit({settings_, context.dt, explicitSprings_.loads(), context.model}, state.x, state.v,
                        context.forces, context.pool);
    context.environment.anchors = stage_.anchors(state, context.grab);
    // The wind of that time is known; only what follows from x and v is extrapolated.
    context.environment.time = windTime(coefficients_, state, context.dt);
    if (twoSteps) takePast(state, a, context);
    const linalg::BlockVector& u = twoSteps ? drift_ : state.v;
    context.forces.assemble(context.environment, {state.x, state.v, u},
                            {.damping = a, .stiffness = a * a, .force = c, .stiffnessVector = twoSteps ? c : c * a},
                            {A_, b_}, context.pool);
    if (twoSteps) addPast(state, c, b_, context);
}

ConstraintStage::EndVelocity LinearImplicit::endVelocity(double h, bool twoSteps) const {
    if (!twoSteps) return {};
    return [this, h](Index i, const Vec3& mean) -> Vec3 {
        return coefficients_.over / coefficients_.implicit * mean -
               coefficients_.past * deltaXBefore_[i] / (coefficients_.implicit * h);
    };
}

bool LinearImplicit::solveWithoutMatrix(const StepContext& context, StepOutcome& outcome) {
    if (!context.environment.anchors.empty() || context.forces.implicitSprings() > 0 ||
        context.forces.implicitPairs() > 0)
        return false;
    const StageTimer timer;
    if (deltaV_.size() != b_.size()) deltaV_.resize(b_.size());
    parallelRows(context.pool, b_.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            deltaV_[i] = b_[i] / A_.diagonal(i)(0, 0);  // mass and drag: the same on all axes
    });
    stage_.constraints().filterAndPrescribe(deltaV_);
    solvers::conclude(outcome.solve, deltaV_.flat().allFinite() ? 0.0 : NAN, 1.0);
    outcome.solve.totalSeconds = timer.seconds();
    outcome.solve.components.assign(b_.size() - outcome.ndofCounts[0], {.rows = 1, .iterations = 0});
    return true;
}

void LinearImplicit::advance(const SimulationState& state, const Lengths& lengths, StepContext& context,
                             SimulationState& out) const {
    const double a = lengths.a, rest = lengths.c - lengths.a;
    parallelRows(context.pool, state.x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            out.v[i] = state.v[i] + deltaV_[i];
            out.x[i] = state.x[i] + a * out.v[i];
            if (rest != 0) out.x[i] += rest * state.v[i];
            if (lengths.twoSteps) out.x[i] += coefficients_.past * deltaXBefore_[i] / coefficients_.over;
        }
    });
    if (rest != 0) stage_.place(out.x);
    out.deltaV = deltaV_;
    if (coefficients_.past == 0) return forget(out, Memory::Past);
    out.xPrevious = state.x;
    out.vPrevious = state.v;
    out.dtPrevious = context.dt;
    out.previousValid = true;
}

std::unique_ptr<linalg::FrozenSystem> LinearImplicit::frozen(const SimulationState& state,
                                                             const cloth::ForceModel& forces, double h,
                                                             double a) const {
    return std::make_unique<linalg::FrozenSystem>(linalg::FrozenSystem{.A = A_,
                                                                       .core = forces.coreMask(),
                                                                       .b = b_,
                                                                       .previous = state.deltaV,
                                                                       .deltaV = deltaV_,
                                                                       .constraints = stage_.constraints(),
                                                                       .icShift = state.icShift,
                                                                       .dt = h,
                                                                       .step = int(state.step) + 1,
                                                                       .reach = a});
}

void LinearImplicit::step(const SimulationState& state, StepContext& context, SimulationState& out,
                          StepOutcome& outcome) {
    const double h = context.dt;
    const Lengths lengths = lengthsOf(state, h);
    StageTimer timer;
    assemble(state, lengths, context);
    outcome.implicitSprings = context.forces.implicitSprings();
    outcome.explicitSprings =
        Index(context.model.springs.size()) - context.forces.brokenSprings() - outcome.implicitSprings;
    outcome.repulsionPairs = pairs_.count();
    outcome.contactSeconds += pairs_.edgeSeconds();
    outcome.assembleSeconds += timer.lap() - pairs_.edgeSeconds();

    out = state;
    const ConstraintStage::Span span{.time = state.time, .dt = h, .forceTime = lengths.c};
    if (settings_.activeSet > 0) friction_ = b_;
    stage_.begin(state, context, span, b_, out.contacts, &A_, endVelocity(h, lengths.twoSteps));
    const linalg::DofConstraints& constraints = stage_.constraints();
    constraints.counts(outcome.ndofCounts);
    outcome.contactSeconds += timer.lap();

    const linalg::LinearSystem system{.A = A_,
                                      .b = b_,
                                      .constraints = constraints,
                                      .core = &context.forces.coreMask(),
                                      .previous = state.deltaV.empty() ? nullptr : &state.deltaV,
                                      .icShift = state.icShift,
                                      .velocity = &state.v,
                                      .dt = h};
    if (!solveWithoutMatrix(context, outcome))
        context.solver->solve(system, deltaV_, outcome.solve, context.control, context.pool);
    if (settings_.activeSet > 0 && solvers::acceptable(outcome.solve.status))
        repeat(state, lengths, system, context, outcome);
    outcome.solveSeconds += outcome.solve.totalSeconds;  // a look at the residual from outside is no part of it
    if (!solvers::acceptable(outcome.solve.status)) {
        outcome.status = StepStatus::SolveFailed;
        outcome.message = outcome.solve.message;
        return;
    }
    if (!solvers::converged(outcome.solve.status)) outcome.status = StepStatus::Unconverged;
    if (outcome.solve.trueRelativeResidual < 0)
        outcome.solve.trueRelativeResidual = solvers::trueRelativeResidual(system, deltaV_);

    timer.lap();
    advance(state, lengths, context, out);
    out.icShift = outcome.solve.icShift;
    const auto impulse = [&]() -> const linalg::BlockVector& {
        solvers::constraintImpulse(system, deltaV_, lambda_, context.pool);
        return lambda_;
    };
    ConstraintStage::finish(impulse, span, context, out);
    outcome.contactSeconds += timer.lap();
    if (context.keepSystem) outcome.system = frozen(state, context.forces, h, lengths.a);
    out.time = state.time + h;
    out.step = state.step + 1;
}

}  // namespace clothlab::integrators
