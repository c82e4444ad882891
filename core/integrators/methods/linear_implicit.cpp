#include "integrators/methods/linear_implicit.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

#include "base/stage_timer.hpp"
#include "integrators/free_motion.hpp"
#include "integrators/schedule.hpp"
#include "integrators/several_solves.hpp"
#include "integrators/two_steps.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::integrators {
namespace {

/// The share of the friction that solids can exert which a solve may leave when that decides about friction.
constexpr double kOfFriction = 0.1;

}  // namespace

LinearImplicit::Lengths LinearImplicit::stepLengths(const SimulationState& state, double h) const {
    if (startsAnew(coefficients_, state, h)) return {.a = h, .c = h, .twoSteps = false};
    return {.a = coefficients_.implicit * h / coefficients_.over,
            .c = coefficients_.acting * h / coefficients_.over,
            .twoSteps = coefficients_.past != 0};
}

void LinearImplicit::computePast(const SimulationState& state, double a, StepContext& context) {
    integrators::computePast(state, context.dt, context.environment.gravity, context.model.mass, deltaXBefore_,
                             deltaVBefore_, context.pool);
    const Index n = state.x.size();
    if (drift_.size() != n) drift_.resize(n);
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
    if (twoSteps) computePast(state, a, context);
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
    if (!context.environment.anchors.empty() || context.forces.couplesParticles()) return false;
    outcome.uncoupled = true;
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
    if (rest != 0)
        stage_.place(out.x);
    else if (lengths.twoSteps)
        stage_.placeContacts(out.x);
    out.deltaV = deltaV_;
    if (coefficients_.past == 0) return forget(out, StateRole::Past);
    out.xPrevious = state.x;
    out.vPrevious = state.v;
    out.dtPrevious = context.dt;
    out.previousValid = true;
}

/// The matrix goes along and is not copied: the next step fills that of a system which was kept before and which
/// nothing else has any more, or a new one.
std::shared_ptr<const linalg::FrozenSystem> LinearImplicit::freeze(const SimulationState& state,
                                                                   const cloth::ForceModel& forces, double h,
                                                                   double a) {
    constexpr std::size_t kMost = 3;  // the last one, the one before, and one to fill
    const auto unused = [](const auto& system) { return system.use_count() == 1; };
    auto at = std::ranges::find_if(frozen_, unused);
    if (at == frozen_.end()) {
        if (frozen_.size() == kMost) frozen_.erase(frozen_.begin());  // its owners keep it
        at = frozen_.insert(frozen_.end(), std::make_shared<linalg::FrozenSystem>());
    }
    std::atomic_thread_fence(std::memory_order_acquire);  // what its last owner, on another thread, has read is read
    linalg::FrozenSystem& system = **at;
    std::swap(system.A, A_);
    system.core = forces.coreMask();
    system.b = b_;
    system.previous = state.deltaV;
    system.deltaV = deltaV_;
    system.constraints = stage_.constraints();
    system.positions = state.x;
    system.icShift = state.icShift;
    system.dt = h;
    system.step = int(state.step) + 1;
    system.reach = a;
    return kept_ = *at;
}

/// Whether contacts are others than the solve was told; then b and the constraints are new.
bool LinearImplicit::reconsider(const SimulationState& state, const linalg::LinearSystem& system,
                                const ConstraintStage::Span& span, StepContext& context, SimulationState& out,
                                StepOutcome& outcome) {
    if (!out.contacts.contacts.empty()) solvers::constraintImpulse(system, deltaV_, lambda_, context.pool);
    if (settings_.activeSet > 0) friction_.flat() -= b_.flat();
    const bool changed = stage_.reconsider(state, context, span, {.lambda = lambda_, .x = out.x, .v = out.v}, b_,
                                           out.contacts, &A_, outcome.contactRepeats);
    if (settings_.activeSet > 0) friction_.flat() += b_.flat();
    return changed;
}

/// Solves, and again while contact changes what it was told. Whether lambda_ is of the last solve.
bool LinearImplicit::solveWithContact(const SimulationState& state, const Lengths& lengths,
                                      linalg::LinearSystem& system, StepContext& context, SimulationState& out,
                                      StepOutcome& outcome) {
    const ConstraintStage::Span span{.time = state.time, .dt = context.dt, .forceTime = lengths.c};
    StageTimer timer;
    bool looksAgain = ConstraintStage::looksAgain(context), impulseKnown = false;
    linearizedAt_ = state.x;
    std::optional<solvers::SolveSummary> first;
    do {
        const solvers::SolveSummary before = std::exchange(outcome.solve, {});
        if (!solveWithoutMatrix(context, outcome))
            context.solver->solve(system, deltaV_, outcome.solve, context.control, context.pool);
        addWork(outcome.solve, before);
        if (settings_.activeSet > 0 && solvers::acceptable(outcome.solve.status))
            repeat(state, lengths, system, context, outcome);
        if (!solvers::acceptable(outcome.solve.status)) break;
        if (keepMomentum(context.model, system, joinsPatches(context.model, context.forces), deltaV_, context.pool))
            outcome.solve.trueRelativeResidual = -1;  // of another dv
        advance(state, lengths, context, out);
        timer.lap();
        impulseKnown = looksAgain && !out.contacts.contacts.empty();
        if (looksAgain) looksAgain = reconsider(state, system, span, context, out, outcome);
        outcome.contactSeconds += timer.lap();
        if (!looksAgain) break;
        if (!first)
            first = outcome.solve;
        else
            first->moreIterations += outcome.solve.iterations;
        if (outcome.solve.rhsNorm > 0) system.finest = kOfFriction * stage_.frictionNorm() / outcome.solve.rhsNorm;
        candidate_ = deltaV_;
        system.previous = &candidate_;
        system.startsThere = true;
        system.icShift = outcome.solve.icShift;
    } while (true);
    if (first) keepFirst(*first, outcome.solve);
    return impulseKnown;
}

void LinearImplicit::step(const SimulationState& state, StepContext& context, SimulationState& out,
                          StepOutcome& outcome) {
    const double h = context.dt;
    const Lengths lengths = stepLengths(state, h);
    StageTimer timer;
    kept_.reset();
    assemble(state, lengths, context);
    outcome.implicitSprings = context.forces.implicitSprings();
    outcome.explicitSprings = context.forces.explicitSprings();
    outcome.repulsionPairs = pairs_.count();
    outcome.contactSeconds += pairs_.edgeSeconds();
    outcome.assembleSeconds += timer.lap() - pairs_.edgeSeconds();

    out = state;
    const ConstraintStage::Span span{.time = state.time, .dt = h, .forceTime = lengths.c};
    timer.lap();
    if (settings_.activeSet > 0) friction_ = b_;
    stage_.begin(state, context, span, b_, out.contacts, &A_, endVelocity(h, lengths.twoSteps));
    if (settings_.activeSet > 0) friction_.flat() = b_.flat() - friction_.flat();
    const linalg::DofConstraints& constraints = stage_.constraints();
    outcome.contactSeconds += timer.lap();

    linalg::LinearSystem system{.A = A_,
                                .b = b_,
                                .constraints = constraints,
                                .core = &context.forces.coreMask(),
                                .previous = state.deltaV.empty() ? nullptr : &state.deltaV,
                                .icShift = state.icShift,
                                .velocity = &state.v,
                                .positions = &state.x,
                                .dt = h};
    const bool impulseKnown = solveWithContact(state, lengths, system, context, out, outcome);
    constraints.counts(outcome.ndofCounts);
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
    out.icShift = outcome.solve.icShift;
    const auto impulse = [&]() -> const linalg::BlockVector& {
        if (!impulseKnown) solvers::constraintImpulse(system, deltaV_, lambda_, context.pool);
        return lambda_;
    };
    stage_.finish(impulse, span, context, out);
    outcome.contactSeconds += timer.lap();
    if (context.keepSystem)
        outcome.system = freeze(state, context.forces, h, lengths.a);
    else
        frozen_.clear();
    out.time = state.time + h;
    out.step = state.step + 1;
}

}  // namespace clothlab::integrators
