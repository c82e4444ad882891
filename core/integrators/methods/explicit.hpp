#pragma once

#include "integrators/stages/constraint_stage.hpp"
#include "integrators/stages/particle_pairs.hpp"

namespace clothlab::integrators {

/// Forward Euler, Runge-Kutta 4 and symplectic Euler, in substeps of dt / n each. With A = M the
/// constrained system needs no solver: dv = S (b / m) + z, b = h f.
class ExplicitIntegrator final : public Integrator {
public:
    explicit ExplicitIntegrator(const IntegratorSettings& settings) : kind_(settings.kind) {}
    void step(const SimulationState& state, StepContext& context, SimulationState& out, StepOutcome& outcome) override;

private:
    /// All forces at (x, v), N; of the pairs found last only those still closer than their distance.
    void forcesAt(const linalg::BlockVector& x, const linalg::BlockVector& v, StepContext& context,
                  linalg::BlockVector& f);
    void substep(double h, double time, StepContext& context, SimulationState& state, StepOutcome& outcome);
    /// Forward and symplectic Euler.
    void eulerUpdate(double h, StepContext& context, SimulationState& state);
    void rk4Update(double h, StepContext& context, SimulationState& state);
    /// Impulse of the constraints from the actual velocity change, for cloth in contact: lambda = m dv - b.
    const linalg::BlockVector& contactImpulse(const StepContext& context, const SimulationState& state);

    IntegratorKind kind_;
    ParticlePairs pairs_;
    linalg::BlockVector f_, b_, friction_, vStart_, xStage_, vStage_, xSum_, vSum_, lambda_;
    ConstraintStage stage_;
    SimulationState start_;  // of the substep: positions, velocities and zones alone
};

}  // namespace clothlab::integrators
