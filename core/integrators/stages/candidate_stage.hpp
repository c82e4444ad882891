#pragma once

#include "integrators/integrator.hpp"

namespace clothlab::integrators {

/// A change of the candidate of a step, of any integrator, before it is checked and accepted, such as contact after the
/// solve. A stage keeps no state that can change a result.
class CandidateStage {
public:
    virtual ~CandidateStage() = default;
    /// Moves the candidate of the step from `state`; colliders and environment are the context's, at both ends of the
    /// step. A step that cannot be repaired gets a status and a message in `outcome`, and is then repeated shorter or
    /// rejected like a failure of the integrator.
    virtual void resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                         StepOutcome& outcome) = 0;
};

}  // namespace clothlab::integrators
