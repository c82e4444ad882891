#pragma once

#include <vector>

#include "integrators/stages/candidate_stage.hpp"
#include "integrators/stages/rigid_motion.hpp"

/// What changes a motion after the solve, whichever method made it, and is no part of what the method solves.
namespace clothlab::integrators {

/// A particle that something holds, and the directions that it leaves free.
class HeldParticles {
public:
    /// Pins, the pointer and the solids that hold particles of the candidate; a flag each for the particles of torn
    /// cloth is not needed: they are free.
    void take(const SimulationState& state, const StepContext& context, const SimulationState& candidate);
    /// Whether pins and the pointer leave what they hold where it is.
    bool still() const;
    bool holds(Index i) const { return !free_.empty() && at_[i] >= 0; }
    /// The projection onto the directions that a particle which something holds is free to move in.
    const Mat3& freeDirections(Index i) const { return free_[at_[i]]; }
    /// The part of a displacement, m, that nothing forbids.
    Vec3 freePart(Index i, const Vec3& move) const;

private:
    std::vector<mechanics::Prescribed> held_;
    std::vector<int> at_;     // per particle: its place in `free_`, or -1
    std::vector<Mat3> free_;  // projections
};

/// Strain limiting (Provot 1995), with which [Y], [B] and [L] compare. Stretch and shear springs that a step leaves
/// longer than 1 + limit times their rest length are shortened to that, one after the other, by moves of their ends in
/// inverse proportion to mass; what is held does not move. Each spring takes some of what its neighbours were given, so
/// that several passes are needed. Velocities get the same change over dt: a free piece keeps its momentum.
class StrainLimitStage final : public CandidateStage {
public:
    void resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                 StepOutcome& outcome) override;

private:
    HeldParticles held_;
    linalg::BlockVector moved_;  // m
};

/// Drag on what is not rigid motion (Müller and others 2007, section 3.5), which [L] 4.1 names for its damping. The
/// velocities of a piece of cloth are split into the rigid motion of its momenta and the rest, orthogonal in the norm
/// of the kinetic energy; the rest is multiplied by exp(-rate dt). A piece that flies or spins is not slowed. Pieces
/// are what springs hold together.
class RigidDragStage final : public CandidateStage {
public:
    void resolve(const SimulationState& state, StepContext& context, SimulationState& candidate,
                 StepOutcome& outcome) override;

private:
    HeldParticles held_;
    ClothPieces pieces_;
};

}  // namespace clothlab::integrators
