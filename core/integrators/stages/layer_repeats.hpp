#pragma once

#include "contact/robust/layer_pairs.hpp"
#include "integrators/integrator.hpp"
#include "integrators/state/state.hpp"

namespace clothlab::integrators {

/// What contact between layers measures by, for all cloths together.
struct LayerScale {
    double spacing;    ///< m, the least of all meshes
    double widest;     ///< m, the largest
    double thickness;  ///< m
    double stiffness;  ///< N/m, the largest of all stretch springs
};
LayerScale layerScaleOf(const StepContext& context);

/// Contact within the solve (contact/robust/layer_pairs.hpp): the step is solved with pairs of layers, contact acts on
/// its end and finds pairs, and so on until it has nothing left to move.
///
///     begin; do { solve from(state); solved; stages } while (again)
class LayerRepeats {
public:
    /// Begins a step: gives the context its pairs, or none where contact acts after the solve.
    void begin(const SimulationState& state, StepContext& context, IntegratorKind kind);
    /// What the next solve starts from: the state, and for a method of two steps without its past once layers have met.
    const SimulationState& from(const SimulationState& state) const { return anew_ ? fresh_ : state; }
    /// After each solve that succeeded, before anything else acts on its candidate: the multipliers are those of it.
    void solved(const SimulationState& state, StepContext& context, SimulationState& candidate);
    /// After a solve and all stages: whether the step is solved again. `outcome` is then empty for the next one, and
    /// gets what all of them did from the call after it. Where repeats end
    /// without success, candidate and outcome are those of the best solve.
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
    StepOutcome before_;  // of all solves before
    StepOutcome best_;    // of the one after which layers moved a particle least, and where it led
    SimulationState bestCandidate_;
    double first_ = 0, last_ = 0,
           least_ = 0;              // of the thickness: by how much, in the first solve, the last and that one
    int repeats_ = 0, inVain_ = 0;  // in vain: in a row, that came no nearer
};

}  // namespace clothlab::integrators
