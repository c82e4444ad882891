#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/stage_timer.hpp"
#include "integrators/methods/linear_implicit.hpp"
#include "integrators/several_solves.hpp"
#include "linalg/vector_kernels.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

/// A linear step again, linearized at its own candidate (docs/methods/integrators.md, 5.15).
namespace clothlab::integrators {

namespace {

/// A pass that leaves more than this of the least residual so far comes no nearer; so many in a row are the last.
constexpr double kNearer = 0.99;
constexpr int kMostWorse = 4;

}  // namespace

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
void LinearImplicit::addExplicitOfStart(const SimulationState& state, double c, linalg::BlockVector& b,
                                        StepContext& context) {
    const bool some = context.environment.wind.dragCoefficient > 0 || context.forces.explicitSprings() > 0 ||
                      traitsFor(settings_.kind).explicitPart == ExplicitPart::ByFamily;
    if (!some) return;
    context.forces.explicitForces(context.environment, state.x, state.v, explicitStart_, context.pool);
    context.forces.explicitForces(context.environment, y_, state.v, explicitThere_, context.pool);
    parallelRows(context.pool, b.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) b[i] += c * (explicitStart_[i] - explicitThere_[i]);
    });
}

void LinearImplicit::linearizeAtCandidate(const SimulationState& state, const Lengths& lengths,
                                          const linalg::LinearSystem& system, StepContext& context) {
    const auto [a, c, twoSteps] = lengths;
    if (!pairsAtStart_.empty()) {  // a pair's force is linear: the same one, taken at y
        pairsThere_ = pairsAtStart_;
        for (mechanics::PairTerm& p : pairsThere_)
            if (p.implicit) p.force += p.stiffness * p.across(y_, state.x);
        context.forces.setPairs(pairsThere_);
    }
    context.forces.setSlackJacobians(true);
    context.forces.assemble(context.environment, {y_, state.v, deltaV_},
                            {.damping = a, .stiffness = a * a, .force = c, .stiffnessVector = -a * a},
                            {thereA_, thereB_}, context.pool);
    context.forces.setSlackJacobians(false);
    if (twoSteps) addPast(state, c, thereB_, context);
    addExplicitOfStart(state, c, thereB_, context);
    parallelRows(context.pool, thereB_.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) thereB_[i] += friction_[i];
    });
    thereNorm_ = solvers::residual({.A = thereA_, .b = thereB_, .constraints = system.constraints}, deltaV_, residual_);
}

/// Along `way_` from `candidate_` the slope of the step's energy is -residual . way: `before` at its start. Where it
/// has turned to more than half of that at the end, springs that the matrix does not hold turned taut on the way, and
/// the energy may be higher than at the start: the share of the way where the slope is small again, by regula falsi.
/// Whether it went another way than all of it.
bool LinearImplicit::searchWay(double before, const SimulationState& state, const Lengths& lengths,
                               const linalg::LinearSystem& system, StepContext& context) {
    constexpr double kFlat = 0.5;
    constexpr int kMost = 8;
    double low = 0, atLow = before, high = 1, atHigh = linalg::dot(residual_, way_, context.pool);
    if (atHigh >= -kFlat * before) return false;
    double here = atHigh;
    for (int k = 0; k < kMost && std::abs(here) > kFlat * before; ++k) {
        const double share = std::clamp(low + (high - low) * atLow / (atLow - atHigh), low + 0.1 * (high - low),
                                        high - 0.1 * (high - low));
        deltaV_.flat() = candidate_.flat() + share * way_.flat();
        placeForces(state, lengths, context.pool);
        linearizeAtCandidate(state, lengths, system, context);
        here = linalg::dot(residual_, way_, context.pool);
        if (here > 0) {
            low = share, atLow = here, atHigh *= 0.5;
        } else {
            high = share, atHigh = here, atLow *= 0.5;
        }
    }
    return true;
}

/// The whole step again, linearized at candidate_, from there and to `enough` of its right-hand side: deltaV_. False:
/// it did not succeed.
bool LinearImplicit::solveThere(const linalg::LinearSystem& system, double merit, double enough, StepContext& context,
                                StepOutcome& outcome) {
    linalg::LinearSystem there = system;
    there.previous = &candidate_;
    there.startsThere = true;
    if (there.finest == 0 || enough < there.finest) there.finest = enough;
    there.icShift = outcome.solve.icShift;
    const solvers::SolveSummary before = std::exchange(outcome.solve, {});
    context.solver->solve(there, deltaV_, outcome.solve, context.control, context.pool);
    outcome.outer.push_back(
        {.merit = merit, .solveIterations = outcome.solve.iterations, .seconds = outcome.solve.totalSeconds});
    addWork(outcome.solve, before);
    if (way_.size() != deltaV_.size()) way_.resize(deltaV_.size());
    way_.flat() = deltaV_.flat() - candidate_.flat();
    return solvers::acceptable(outcome.solve.status);
}

void LinearImplicit::repeat(const SimulationState& state, const Lengths& lengths, const linalg::LinearSystem& system,
                            StepContext& context, StepOutcome& outcome) {
    StageTimer timer;
    placeForces(state, lengths, context.pool);
    if (context.forces.changedSprings(linearizedAt_, y_, context.pool) == 0) return;
    pairsAtStart_.assign(context.forces.pairs().begin(), context.forces.pairs().end());
    solvers::residual(system, deltaV_, residual_);
    const double enough = residual_.flat().norm();  // what a solve leaves
    linearizeAtCandidate(state, lengths, system, context);
    const double first = residual_.flat().norm();
    double norm = first;
    bool cutShort = false;
    double best = first;
    int worse = 0;
    for (int pass = 0; pass < settings_.activeSet && norm > enough; ++pass) {
        std::swap(A_, thereA_);
        std::swap(b_, thereB_);
        linearizedAt_ = y_;
        candidate_ = deltaV_;
        remainder_ = residual_;
        outcome.assembleSeconds += timer.lap();
        cutShort = false;
        const bool solved = solveThere(system, norm / first, 0.5 * enough / thereNorm_, context, outcome);
        timer.lap();
        if (!solved) break;
        placeForces(state, lengths, context.pool);
        if (context.forces.changedSprings(linearizedAt_, y_, context.pool) == 0) break;
        linearizeAtCandidate(state, lengths, system, context);
        cutShort = searchWay(linalg::dot(remainder_, way_, context.pool), state, lengths, system, context);
        norm = residual_.flat().norm();
        if (norm < kNearer * best)
            best = norm, worse = 0;
        else if (++worse == kMostWorse)
            break;
    }
    if (cutShort) {  // it solves the step at its own linearization, as far as it does
        std::swap(A_, thereA_);
        std::swap(b_, thereB_);
        linearizedAt_ = y_;
        outcome.solve.trueRelativeResidual = -1;
        if (norm > enough) {
            outcome.status = StepStatus::Unconverged;
            outcome.message = fmt::format(
                "active_set: springs still turn taut or slack after {} repeats, the last of which left {:.0e} of the "
                "residual that they began with.",
                outcome.outer.size(), norm / first);
        }
    }
    outcome.assembleSeconds += timer.lap();
    if (!pairsAtStart_.empty()) context.forces.setPairs(pairsAtStart_);
}

}  // namespace clothlab::integrators
