#pragma once

#include "integrators/constraints.hpp"

namespace clothlab::integrators {

/// One linear solve a step, in the symmetric form (methods §5.3):
///     (M - h D - h^2 K) dv = h (f + h K v),   v' = v + dv,   x' = x + h v'
class LinearizedBackwardEuler final : public Integrator {
public:
    bool implicit() const override { return true; }
    void step(const SimulationState& state, StepContext& context, SimulationState& out, StepOutcome& outcome) override;
    std::optional<linalg::LinearSystem> lastSystem() const override {
        if (!A_.hasPattern()) return {};
        return linalg::LinearSystem{.A = A_, .b = b_, .constraints = constraints_, .matrixRevision = matrixRevision_};
    }

private:
    linalg::BlockMatrix A_;
    linalg::BlockVector b_, deltaV_, lambda_;
    linalg::DofConstraints constraints_;
    std::vector<linalg::Prescribed> prescribed_;
    std::vector<cloth::AnchorSpring> anchors_;
    contact::ContactSolver contact_;
    std::uint64_t matrixRevision_ = 0;
};

}  // namespace clothlab::integrators
