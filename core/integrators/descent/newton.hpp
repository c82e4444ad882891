#pragma once

#include "integrators/descent/fast_mass_spring.hpp"
#include "integrators/descent/step_hessian.hpp"

namespace clothlab::integrators {

/// Implicit Euler or BDF2 as the minimum of the step's energy g (step_objective.hpp), by Newton's method with line
/// search ([L] §5; methods §12.3):
///
///     H dx = -grad g    in the free directions, by any solver
///     x <- x + t dx     t halved from 1 until g falls by 1e-4 t |grad g . dx| (Armijo)
///
/// The first iterate is inertia only. A system that its solver finds indefinite is solved again with a more definite
/// matrix (step_hessian.hpp).
///
/// Systems are passed in velocities, H dv = -grad g / a with dx = a dv, so that their units are those of all others.
class Newton final : public Integrator {
public:
    explicit Newton(const IntegratorSettings& settings)
        : settings_(settings), bootstrap_(settings), hessian_(settings.newton.hessian) {}
    void step(const SimulationState& state, StepContext& context, SimulationState& out, StepOutcome& outcome) override;
    std::optional<linalg::LinearSystem> lastSystem() const override {
        if (!hessian_.matrix().hasPattern()) return {};
        return linalg::LinearSystem{.A = hessian_.matrix(), .b = b_, .constraints = free_};
    }
    const linalg::BlockVector* lastSolution() const override { return &deltaV_; }

private:
    struct Iteration {
        int k = 0;
        double norm = 0, first = 0;  ///< |S grad g| now, and at the start
        bool freshMatrix = true;
        bool missed = false;  ///< it ended above its tolerance
    };
    /// From inertia, or after a change of contacts from x_, to the tolerance. False: the step has failed.
    bool descend(const SimulationState& state, StepContext& context, StepOutcome& outcome, Iteration& now, bool again);
    /// Computes the constraints left once held particles are in place: S, and z = 0. Returns |S grad g| of inertia
    /// only.
    double firstIterate(const SimulationState& state, StepContext& context);
    double filteredGradient(WorkerPool& pool);
    double roundOff(const cloth::ClothModel& model) const;
    double innerTolerance(const Iteration& now) const;
    /// dv of this iteration; false: the step has failed.
    bool solve(const Iteration& now, StepContext& context, StepOutcome& outcome);
    static void stopped(StepOutcome& outcome);
    /// The fraction of dx that is taken; 0: none lowers g.
    double goDown(StepContext& context);

    IntegratorSettings settings_;
    StepObjective objective_;
    FastMassSpring bootstrap_;
    StepHessian hessian_;
    linalg::DofConstraints free_;
    linalg::BlockVector x_, trial_, gradient_, b_, deltaV_;
    double value_ = 0, lastNorm_ = 0, lastTolerance_ = 0;
};

}  // namespace clothlab::integrators
