#pragma once

#include <vector>

#include "integrators/stages/candidate_stage.hpp"
#include "integrators/stages/rigid_motion.hpp"

/// Stages that change the motion after the solve of any method and are not part of the equations that it solves.
namespace clothlab::integrators {

/// Held particles, and the directions in which they are free.
class HeldParticles {
public:
    /// Collects the particles of the candidate that pins, the pointer and solids hold; those of torn cloth are free.
    void take(const SimulationState& state, const StepContext& context, const SimulationState& candidate);
    /// Whether pins and the pointer hold their particles at rest.
    bool still() const;
    bool holds(Index i) const { return !free_.empty() && at_[i] >= 0; }
    /// The projection onto the free directions of a held particle.
    const Mat3& freeDirections(Index i) const { return free_[at_[i]]; }
    /// The part of a displacement, m, in the free directions.
    Vec3 freePart(Index i, const Vec3& move) const;

private:
    std::vector<mechanics::Prescribed> held_;
    std::vector<int> at_;     // per particle: its place in `free_`, or -1
    std::vector<Mat3> free_;  // projections
};

/// Strain limiting (Provot 1995), with which [Y], [B] and [L] compare. Stretch and shear springs that a step leaves
/// longer than 1 + limit times their rest length are shortened to that, one after the other, by moves of their ends in
/// inverse proportion to mass; held particles do not move. Each spring undoes part of its neighbours' correction, so
/// several passes are needed. Velocities get the same change divided by dt: a free piece keeps its momentum.
class StrainLimitStage final : public CandidateStage {
public:
    void resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                 StepOutcome& outcome) override;

private:
    HeldParticles held_;
    linalg::BlockVector moved_;  // m
};

/// Drag on the non-rigid part of a motion (Müller and others 2007, section 3.5), which [L] 4.1 names for its damping.
/// The velocities of a piece of cloth are split into the rigid motion of its momenta and the rest, orthogonal in the
/// norm of the kinetic energy; the rest is multiplied by exp(-rate dt). A piece that flies or spins is not slowed.
/// Springs hold a piece together.
class RigidDragStage final : public CandidateStage {
public:
    void resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                 StepOutcome& outcome) override;

private:
    HeldParticles held_;
    ClothPieces pieces_;
};

}  // namespace clothlab::integrators
