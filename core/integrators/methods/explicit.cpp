#include "integrators/methods/explicit.hpp"

#include <algorithm>

#include "base/stage_timer.hpp"
#include "integrators/kind.hpp"
#include "integrators/traits.hpp"

namespace clothlab::integrators {

int automaticSubsteps(IntegratorKind kind, const cloth::ForceModel& forces, double dt) {
    const double limit = traitsFor(kind).limit;
    if (limit == 0) return 1;
    int n = 1;
    while (n < 256 && forces.explicitStabilitySum(dt / n) > limit) n *= 2;
    return n;
}

void ExplicitIntegrator::forcesAt(const linalg::BlockVector& x, const linalg::BlockVector& v, StepContext& context,
                                  linalg::BlockVector& f) {
    pairs_.giveExplicit(x, v, context.forces, context.pool);
    context.forces.forces(context.environment, x, v, f, context.pool);
}

void ExplicitIntegrator::eulerUpdate(double h, StepContext& context, SimulationState& state) {
    const bool symplectic = kind_ == IntegratorKind::SymplecticEuler;
    const std::vector<double>& mass = context.model.mass;
    parallelRows(context.pool, state.x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            f_[i] = b_[i] / mass[i];
            xStage_[i] = state.x[i] + h * state.v[i];
        }
    });
    stage_.constraints().filterAndPrescribe(f_);
    parallelRows(context.pool, state.x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            vStart_[i] = state.v[i];
            state.v[i] += f_[i];
            state.x[i] = symplectic ? Vec3(state.x[i] + h * state.v[i]) : Vec3(xStage_[i]);
        }
    });
}

void ExplicitIntegrator::rk4Update(double h, StepContext& context, SimulationState& state) {
    const std::vector<double>& mass = context.model.mass;
    const Index n = state.x.size();
    const double start = context.environment.time;
    // b holds h f(x, v) and the friction impulses, which stay constant over the step; only their sum is known here.
    forcesAt(state.x, state.v, context, f_);
    parallelRows(context.pool, n, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            vStart_[i] = state.v[i];
            friction_[i] = b_[i] - h * f_[i];
            xSum_[i].setZero();
            vSum_[i].setZero();
        }
    });
    // The prescribed directions take their end velocity at once; the stages then only move the free ones.
    stage_.constraints().filter(state.v);
    for (const linalg::DofConstraint& c : stage_.constraints().constrained()) {
        const Vec3 removed = vStart_[c.particle] - c.S() * vStart_[c.particle];
        state.v[c.particle] += removed + c.z;
    }
    constexpr double kNode[4] = {0.0, 0.5, 0.5, 1.0}, kWeight[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    linalg::BlockVector& slope = lambda_;  // dv/dt of the stage before
    for (int stage = 0; stage < 4; ++stage) {
        const double c = kNode[stage] * h;
        parallelRows(context.pool, n, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                // The position slope of a stage is the velocity of the stage before it.
                xStage_[i] = stage == 0 ? Vec3(state.x[i]) : Vec3(state.x[i] + c * vStage_[i]);
                vStage_[i] = stage == 0 ? Vec3(state.v[i]) : Vec3(state.v[i] + c * slope[i]);
            }
        });
        context.environment.time = start + c;  // the gust of the stage's own time
        forcesAt(xStage_, vStage_, context, f_);
        parallelRows(context.pool, n, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) slope[i] = (f_[i] + friction_[i] / h) / mass[i];
        });
        stage_.constraints().filter(slope);
        parallelRows(context.pool, n, [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                xSum_[i] += kWeight[stage] * vStage_[i];
                vSum_[i] += kWeight[stage] * slope[i];
            }
        });
    }
    parallelRows(context.pool, n, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            state.x[i] += h * xSum_[i];
            state.v[i] += h * vSum_[i];
        }
    });
}

const linalg::BlockVector& ExplicitIntegrator::contactImpulse(const StepContext& context,
                                                              const SimulationState& state) {
    lambda_.setZero();
    for (const contact::ParticleContact& c : state.contacts.contacts)
        lambda_[c.particle] =
            context.model.mass[c.particle] * (state.v[c.particle] - vStart_[c.particle]) - b_[c.particle];
    return lambda_;
}

void ExplicitIntegrator::substep(double h, double time, StepContext& context, SimulationState& state,
                                 StepOutcome& outcome) {
    StageTimer timer;
    context.environment.time = time;
    pairs_.find(context, state.x, {.end = time + h, .dt = h});
    forcesAt(state.x, state.v, context, b_);
    b_.flat() *= h;
    outcome.contactSeconds += pairs_.edgeSeconds();
    outcome.assembleSeconds += timer.lap() - pairs_.edgeSeconds();
    const ConstraintStage::Span span{.time = time, .dt = h, .forceTime = h};
    // Forward Euler moves with the velocity of the start: what is asked of the end of this step moves in the next one.
    ConstraintStage::EndVelocity late;
    if (kind_ == IntegratorKind::ForwardEuler)
        late = [&](Index i, const Vec3& mean) -> Vec3 { return mean - state.v[i]; };
    stage_.begin(state, context, span, b_, state.contacts, nullptr, late);
    outcome.contactSeconds += timer.lap();
    const bool looksAgain = ConstraintStage::looksAgain(context);
    if (looksAgain) {
        start_.x = state.x;
        start_.v = state.v;
        start_.zones = state.zones;
    }
    while (true) {
        if (kind_ == IntegratorKind::Rk4)
            rk4Update(h, context, state);
        else
            eulerUpdate(h, context, state);
        outcome.assembleSeconds += timer.lap();
        if (!looksAgain) break;
        const contact::ContactAnswer answer{.lambda = contactImpulse(context, state), .x = state.x, .v = state.v};
        const bool changed =
            stage_.reconsider(start_, context, span, answer, b_, state.contacts, nullptr, outcome.contactRepeats);
        outcome.contactSeconds += timer.lap();
        if (!changed) break;
        state.x = start_.x;
        state.v = start_.v;
    }
    stage_.constraints().counts(outcome.ndofCounts);
    stage_.finish(
        [&]() -> const auto& { return contactImpulse(context, state); }, span, context, state);
    outcome.contactSeconds += timer.lap();
}

void ExplicitIntegrator::step(const SimulationState& state, StepContext& context, SimulationState& out,
                              StepOutcome& outcome) {
    for (linalg::BlockVector* v : {&f_, &b_, &friction_, &vStart_, &xStage_, &vStage_, &xSum_, &vSum_, &lambda_})
        if (v->size() != state.x.size()) v->resize(state.x.size());
    context.environment.anchors = stage_.anchors(state, context.grab);
    // Their load at the start decides about the substeps; those that meet within the step are not foreseen.
    pairs_.find(context, state.x, {.end = state.time + context.dt, .dt = context.dt});
    pairs_.giveExplicit(state.x, state.v, context.forces, context.pool);
    const int n = context.substeps > 0 ? context.substeps : automaticSubsteps(kind_, context.forces, context.dt);
    const double h = context.dt / n;
    out = state;
    for (int s = 0; s < n && !context.control.stop.stop_requested(); ++s)
        substep(h, state.time + s * h, context, out, outcome);
    outcome.substeps = n;
    outcome.repulsionPairs = pairs_.count();
    outcome.explicitSprings = context.forces.explicitSprings() + context.forces.implicitSprings();
    forget(out, StateRole::Past);
    out.deltaV.resize(state.x.size());
    out.deltaV.flat() = out.v.flat() - state.v.flat();
    out.time = state.time + context.dt;
    out.step = state.step + 1;
}

}  // namespace clothlab::integrators
