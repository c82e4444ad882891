#pragma once

#include "contact/robust/layer_pairs.hpp"
#include "integrators/integrator.hpp"
#include "integrators/state/state.hpp"

namespace clothlab::integrators {

/// Scales of contact between layers, common to all cloths.
struct LayerScale {
    double spacing;    ///< m, the least of all meshes
    double widest;     ///< m, the largest
    double thickness;  ///< m
    double stiffness;  ///< N/m, the largest of all stretch springs
};
LayerScale makeLayerScale(const StepContext& context);

/// Contact within the solve (contact/robust/layer_pairs.hpp): the step is solved with pairs of layers, contact
/// corrects the result and finds pairs, and so on until it has nothing left to correct.
///
///     begin; do { solve from(state); solved; stages } while (again)
class LayerRepeats {
public:
    /// Begins a step: sets the pairs of the context, or none if contact acts after the solve.
    void begin(const SimulationState& state, StepContext& context, IntegratorKind kind);
    /// Start of the next solve: the state; for a two-step method without its past once layers have met.
    const SimulationState& from(const SimulationState& state) const { return anew_ ? fresh_ : state; }
    /// After each successful solve, before anything else changes its candidate: updates the multipliers.
    void solved(const SimulationState& state, StepContext& context, SimulationState& candidate);
    /// After a solve and all stages: whether to solve the step again. `outcome` is then empty for the next solve, to
    /// which the next call adds the work of the earlier ones. If repeats end without success, candidate and outcome are
    /// those of the best solve.
    bool again(const SimulationState& state, StepContext& context, SimulationState& candidate, StepOutcome& outcome);

private:
    void addUp(StepOutcome& outcome) const;
    bool layersMet(const SimulationState& state) const;
    void goBack(SimulationState& candidate, StepOutcome& outcome);

    contact::LayerPairs pairs_;
    bool anew_ = false;
    SimulationState fresh_;  // the state without its past
    linalg::BlockVector u_;
    bool minimizes_ = false;
    double energy_ = 0;   // J, of the pairs after the solve
    StepOutcome before_;  // of all earlier solves
    StepOutcome best_;    // of the solve with the least move by layers, with its candidate
    SimulationState bestCandidate_;
    double first_ = 0, last_ = 0,
           least_ = 0;              // largest moves in thicknesses: of the first solve, the last and the best
    int repeats_ = 0, inVain_ = 0;  // in vain: in a row without progress
};

}  // namespace clothlab::integrators
