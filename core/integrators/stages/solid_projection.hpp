#pragma once

#include <optional>

#include "contact/moving_solid.hpp"
#include "integrators/stages/after_solve.hpp"

namespace clothlab::integrators {

/// [L]'s own contact with solids (section 4.1; `contact.solids = projection`): "we directly move x to the desired
/// collision-free state". Solids are not in the solve. A particle that ends inside is moved along its normal to the
/// surface that the solid has at the end of the step, and its velocity gets the same change over dt.
///
/// The paper does not treat friction. Here Coulomb's cone applies to displacements: sliding along the surface
/// within the step is undone up to mu_s times the depth, or shortened by mu_k times the depth where it is longer.
/// With mu_s = mu_k = 0 it is the paper's method as we read it: once per step, after the last iteration.
///
/// The contacts of the candidate list the moved particles for pictures and reports, with the force of an equal move.
class SolidProjectionStage final : public CandidateStage {
public:
    void resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                 StepOutcome& outcome) override;

private:
    struct Moved {
        Vec3 by = Vec3::Zero();  ///< m
        contact::ParticleContact contact;
    };
    std::optional<Moved> projected(const StepContext& context, Index particle, const Vec3& from, const Vec3& to) const;

    HeldParticles held_;
    std::vector<contact::MovingSolid> solids_;
    std::vector<std::vector<Moved>> chunks_;
};

}  // namespace clothlab::integrators
