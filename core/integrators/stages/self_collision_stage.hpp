#pragma once

#include "contact/robust/self_contact.hpp"
#include "integrators/stages/candidate_stage.hpp"

namespace clothlab::integrators {

/// Contact of the cloth with itself, after the solve of any method (contact/robust/self_contact.hpp): moves the
/// candidate so that nothing intersects and no particle ends deep in a solid, and changes velocities accordingly. Does
/// nothing unless the settings ask for `robust`. Particles held by a pin, the pointer or a solid keep their prescribed
/// motion.
class SelfCollisionStage final : public CandidateStage {
public:
    void resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                 StepOutcome& outcome) override;
    /// Describes the last call for pictures, with the particles at x (m).
    void describe(const linalg::BlockVector& x, contact::SelfContactPicture& out) const { contact_.describe(x, out); }
    /// Zones of the last call.
    std::span<const contact::SelfContact::Zone> zones() const { return contact_.zones(); }

private:
    void updateSurface(const cloth::ClothModel& model, const std::vector<std::uint8_t>& broken);
    void collectHeld(const SimulationState& state, const StepContext& context, const SimulationState& candidate);
    void pushOut(const SimulationState& state, SimulationState& candidate);
    void addContacts(const SimulationState& candidate);
    void accept(const SimulationState& state, double dt, SimulationState& candidate);
    static void report(StepOutcome& outcome);

    contact::SelfContact contact_;
    const cloth::ClothModel* model_ = nullptr;
    std::uint64_t revision_ = 0;
    std::vector<std::uint8_t> broken_;
    bool ready_ = false;
    std::vector<mechanics::Prescribed> held_;
    contact::SolidWalls solids_;
    std::vector<contact::Wall> walls_;
    std::vector<contact::FeatureWall> featureWalls_;
    linalg::BlockVector u_, wanted_;  // m; displacements after and before contact
};

}  // namespace clothlab::integrators
