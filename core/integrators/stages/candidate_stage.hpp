#pragma once

#include "integrators/integrator.hpp"

namespace clothlab::integrators {

/// What acts on the candidate of a step before it is judged and accepted, whichever integrator made it: contact that is
/// resolved after the solve. A stage keeps nothing that can change a result.
class CandidateStage {
public:
    virtual ~CandidateStage() = default;
    /// Moves the candidate of the step from `state`; colliders and environment are the context's, at both ends of the
    /// step. A step that cannot be mended gets a status and a message in `outcome`, and is then taken again shorter or
    /// refused as one that the integrator failed.
    virtual void resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                         StepOutcome& outcome) = 0;
};

}  // namespace clothlab::integrators
