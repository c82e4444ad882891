#include "integrators/stages/layer_repeats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cloth/springs.hpp"
#include "integrators/several_solves.hpp"
#include "integrators/traits.hpp"

namespace clothlab::integrators {
namespace {

/// A repeat that leaves more than this share of the least move so far makes no progress; so many in a row end them.
constexpr double kComesNearer = 0.95;
constexpr int kMostInVain = 8;
/// A repeat that leaves more than this share of the move before it softens the springs of pairs.
constexpr double kSlow = 0.8;

}  // namespace

LayerScale makeLayerScale(const StepContext& context) {
    const cloth::ClothModel& model = context.model;
    LayerScale out{.spacing = model.patches.front().spacing, .widest = 0, .thickness = 0, .stiffness = 0};
    for (const cloth::ClothModel::Patch& patch : model.patches) {
        out.spacing = std::min(out.spacing, patch.spacing);
        out.widest = std::max(out.widest, patch.spacing);
    }
    out.thickness = context.contact.thickness * out.spacing;
    for (std::size_t e = 0; e < model.springs.size(); ++e)
        if (model.springs[e].family == cloth::SpringFamily::Stretch)
            out.stiffness = std::max(out.stiffness, context.forces.springLaw(e).stiffness);
    return out;
}

void LayerRepeats::begin(const SimulationState& state, StepContext& context, IntegratorKind kind) {
    const contact::ContactSettings& settings = context.contact;
    repeats_ = inVain_ = 0;
    anew_ = false;
    least_ = std::numeric_limits<double>::infinity();
    before_ = best_ = {};
    minimizes_ = traitsFor(kind).minimizes;
    const bool within = settings.selfCollision == contact::SelfCollision::Robust &&
                        settings.solve == contact::LayerSolve::Within && traitsFor(kind).takesLayers;
    context.layers = within ? &pairs_ : nullptr;
    if (!within) return;
    const LayerScale scale = makeLayerScale(context);
    std::span<const contact::LayerForce> carried = state.layerForces;
    if (settings.untangle) carried = {};  // contact lets what is tangled pass, and finds the rest itself
    pairs_.begin({.dt = context.dt,
                  .thickness = scale.thickness,
                  .repulsion = scale.stiffness,
                  .friction = settings.clothFriction,
                  .stiffness = settings.solveStiffness},
                 carried, state.x, state.v, context.model.mass);
}

void LayerRepeats::solved(const SimulationState& state, StepContext& context, SimulationState& candidate) {
    if (!context.layers) return;
    u_.resize(state.x.size());
    u_.flat() = candidate.x.flat() - state.x.flat();
    energy_ = pairs_.energy(u_);
    pairs_.update(u_);
    if (anew_) forget(candidate, StateRole::Past);
}

/// Whether pairs push that did not in the last step. A two-step method would extrapolate such a blow like a force that
/// changes slowly.
bool LayerRepeats::layersMet(const SimulationState& state) const {
    return std::ranges::any_of(pairs_.all(), [&](const contact::LayerPair& p) {
        return p.push > 0 && !contact::findLayerForce(state.layerForces, p.corners, p.kind);
    });
}

/// Adds the work of the earlier solves.
void LayerRepeats::addUp(StepOutcome& outcome) const {
    outcome.outer.insert(outcome.outer.begin(), before_.outer.begin(), before_.outer.end());
    addWork(outcome.solve, before_.solve);
    if (repeats_ > 0 && !minimizes_) {
        solvers::SolveSummary first = before_.solve;
        const int more = outcome.solve.moreIterations;
        keepFirst(first, outcome.solve);
        outcome.solve.moreIterations += more;
    }
    outcome.assembleSeconds += before_.assembleSeconds;
    outcome.contactSeconds += before_.contactSeconds;
    outcome.solveSeconds += before_.solveSeconds;
    outcome.contactRepeats.repeats += before_.contactRepeats.repeats;
    outcome.factorAdopted |= before_.factorAdopted;
    outcome.selfContact.impacts += before_.selfContact.impacts;
    outcome.selfContact.repeats = repeats_;
    outcome.selfContact.energy += energy_;
}

/// Returns to the solve with the least move, with the work of all.
void LayerRepeats::goBack(SimulationState& candidate, StepOutcome& outcome) {
    best_.outer = std::move(outcome.outer);
    best_.assembleSeconds = outcome.assembleSeconds;
    best_.contactSeconds = outcome.contactSeconds;
    best_.solveSeconds = outcome.solveSeconds;
    best_.solve.moreIterations = outcome.solve.moreIterations;
    best_.solve.analyzeSeconds = outcome.solve.analyzeSeconds;
    best_.solve.factorSeconds = outcome.solve.factorSeconds;
    best_.solve.applySeconds = outcome.solve.applySeconds;
    best_.solve.multiplySeconds = outcome.solve.multiplySeconds;
    best_.solve.decomposeSeconds = outcome.solve.decomposeSeconds;
    best_.solve.totalSeconds = outcome.solve.totalSeconds;
    best_.contactRepeats.repeats = outcome.contactRepeats.repeats;
    best_.selfContact.impacts = outcome.selfContact.impacts;
    best_.selfContact.repeats = repeats_;
    outcome = std::move(best_);
    candidate = std::move(bestCandidate_);
    if (anew_) forget(candidate, StateRole::Past);  // even if the best solve still had it
}

bool LayerRepeats::again(const SimulationState& state, StepContext& context, SimulationState& candidate,
                         StepOutcome& outcome) {
    if (!context.layers || context.control.stop.stop_requested()) return false;
    if (hasFailed(outcome.status)) {
        if (repeats_ == 0) return false;
        const std::string problem = std::move(outcome.message);
        goBack(candidate, before_);
        outcome = std::move(before_);
        outcome.status = StepStatus::Unconverged;
        outcome.message = fmt::format(
            "Repeat {} of the solve with layers failed ({}); the step is that of an earlier solve.", repeats_, problem);
        return false;
    }
    const double moved = outcome.selfContact.moved / pairs_.law().thickness;
    const bool done = !(moved > context.contact.solveTolerance);
    if (repeats_ == 0) first_ = moved;
    if (outcome.outer.empty() && !(repeats_ == 0 && done))
        outcome.outer.push_back({.merit = first_ > 0 ? moved / first_ : 0,
                                 .solveIterations = outcome.solve.iterations + outcome.solve.moreIterations,
                                 .seconds = outcome.solve.totalSeconds});
    addUp(outcome);
    if (done) return false;
    inVain_ = moved < kComesNearer * least_ ? 0 : inVain_ + 1;
    if (moved < least_) {
        least_ = moved;
        best_ = outcome;
        bestCandidate_ = candidate;
    }
    if (repeats_ == context.contact.solveRepeats || inVain_ == kMostInVain) {
        goBack(candidate, outcome);
        if (outcome.status != StepStatus::Ok) return false;
        outcome.status = StepStatus::Unconverged;
        outcome.message = fmt::format(
            "Layers still move a particle by {:.2g} of the thickness after {} repeat{} of the solve "
            "(contact.solve_tolerance).",
            least_, repeats_, repeats_ == 1 ? "" : "s");
        return false;
    }
    // The clock decides once in a step whether a factor from the background is adopted.
    if (context.factorMaker || context.adoption != FactorAdoption::WhenReady)
        context.adoption = outcome.factorAdopted ? FactorAdoption::Now : FactorAdoption::Later;
    if (!anew_ && state.previousValid && layersMet(state)) {
        anew_ = true;
        fresh_ = state;
        forget(fresh_, StateRole::Past);
    }
    if (repeats_ > 0 && moved > kSlow * last_) pairs_.soften(context.model.mass);
    last_ = moved;
    ++repeats_;
    before_ = std::exchange(outcome, {});
    before_.system.reset();
    return true;
}

}  // namespace clothlab::integrators
