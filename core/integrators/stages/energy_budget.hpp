#pragma once

#include "integrators/stages/after_solve.hpp"

namespace clothlab::integrators {

/// Energy budgeting (Su and others 2013), which [L] §2 names: "can be applied on top of any numerical time integration
/// method". Implicit Euler damps whatever it cannot resolve, by an amount that the step decides. This stage compares
/// the energy at both ends of a step,
///
///     lost = E(x0, v0) + W - E(x1, v1),      W = dt v'.f,
///
/// with f all forces that have no potential: damping, drag, wind, the user's own. A share of the loss goes back into
/// the velocities, v += (s - 1) v', with the s that makes the kinetic energy right. For a free piece of cloth v' is the
/// velocity relative to its centre, and E excludes the energy of the centre, kinetic and of gravity: a free fall stays
/// one. For a held piece v' is the whole velocity. Energy lost by damping stays lost, so that damping is a property of
/// the material and no longer of the step. Ether drag of local/global counts as part of the method: its loss is
/// returned.
///
/// Steps in which something else does work are left unchanged: contact, the pointer, pins that move, springs that the
/// strain limit shortened.
class EnergyBudgetStage final : public CandidateStage {
public:
    void resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                 StepOutcome& outcome) override;

private:
    /// Fills `rest_` with v' and returns the energy of the centres that it excludes, J.
    double computeRest(const StepContext& context, const SimulationState& at);
    /// dt v'.f of the forces that have no potential, J.
    double workOfOthers(const StepContext& context, const SimulationState& at);

    HeldParticles held_;
    ClothPieces pieces_;
    linalg::BlockVector all_, conservative_, still_, rest_;
};

}  // namespace clothlab::integrators
