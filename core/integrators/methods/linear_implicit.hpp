#pragma once

#include "integrators/methods/explicit_springs.hpp"
#include "integrators/stages/constraint_stage.hpp"
#include "integrators/stages/particle_pairs.hpp"
#include "integrators/traits.hpp"

namespace clothlab::integrators {

/// All methods with one linear solve per step, in the symmetric dv form. K and D are those of the implicit terms, g
/// their force and phi the explicit one, f = g + phi; M the masses; all at step n, and (.)_p = (.)_n - (.)_(n-1).
///
///     (M - a D - a^2 K) dv = past/over M dv_p + c (f + K (past/over dx_p + a v) [+ phi_n - phi_(n-1)])
///     x' = x + past/over dx_p + c v + a dv                                      [..]: SBDF2 only
///
/// integrators/traits.hpp has the coefficients. The only other difference is the set of implicit springs: all
/// (linearized-backward-euler, bdf2), those of a split by families (imex-euler, sbdf2), or those chosen by a criterion
/// in every step (adaptive-imex, adaptive-sbdf2).
///
/// A two-step method starts with one step of the other kind, also after a step of another method or length.
/// integrators/two_steps.hpp describes the past that is left after a collision.
class LinearImplicit final : public Integrator {
public:
    explicit LinearImplicit(const IntegratorSettings& settings)
        : settings_(settings), coefficients_(traitsFor(settings.kind).coefficients), explicitSprings_(settings) {}
    void step(const SimulationState& state, StepContext& context, SimulationState& out, StepOutcome& outcome) override;
    bool take(const IntegratorSettings& settings) override {
        if (settings.kind != settings_.kind) return false;
        settings_ = settings;
        explicitSprings_ = ExplicitSprings(settings);
        return true;
    }
    std::optional<linalg::LinearSystem> lastSystem() const override {
        const linalg::BlockMatrix& A = kept_ ? kept_->A : A_;
        if (!A.hasPattern()) return {};
        return linalg::LinearSystem{.A = A, .b = b_, .constraints = stage_.constraints()};
    }

private:
    /// a and c of integrators/traits.hpp, s; whether the step uses two earlier states.
    struct Lengths {
        double a, c;
        bool twoSteps;
    };
    Lengths stepLengths(const SimulationState& state, double h) const;
    /// dx_p, dv_p and the vector that K multiplies, for two-step methods.
    void computePast(const SimulationState& state, double a, StepContext& context);
    void addPast(const SimulationState& state, double c, linalg::BlockVector& b, StepContext& context);
    void assemble(const SimulationState& state, const Lengths& lengths, StepContext& context);
    /// Held particles reach their positions, not their velocities: in two-step methods these differ from the mean.
    ConstraintStage::EndVelocity endVelocity(double h, bool twoSteps) const;
    void advance(const SimulationState& state, const Lengths& lengths, StepContext& context,
                 SimulationState& out) const;
    std::shared_ptr<const linalg::FrozenSystem> freeze(const SimulationState& state, const cloth::ForceModel& forces,
                                                       double h, double a);
    bool reconsider(const SimulationState& state, const linalg::LinearSystem& system, const ConstraintStage::Span& span,
                    StepContext& context, SimulationState& out, StepOutcome& outcome);
    bool solveWithContact(const SimulationState& state, const Lengths& lengths, linalg::LinearSystem& system,
                          StepContext& context, SimulationState& out, StepOutcome& outcome);
    /// Solves A = M + drag, particle by particle. Returns false if a spring or a pair is implicit.
    bool solveWithoutMatrix(const StepContext& context, StepOutcome& outcome);

    /// active_set (linear_repeats.cpp; docs/methods/integrators.md).
    /// y: the positions at which the forces of a step with deltaV_ act.
    void placeForces(const SimulationState& state, const Lengths& lengths, WorkerPool& pool);
    /// thereA_ and thereB_: A and b linearized at y instead of x, for the whole dv again; deltaV_ is that of y.
    /// residual_: S(b - A dv), the residual of the step's equation there.
    void linearizeAtCandidate(const SimulationState& state, const Lengths& lengths, const linalg::LinearSystem& system,
                              StepContext& context);
    void addExplicitOfStart(const SimulationState& state, double c, linalg::BlockVector& b, StepContext& context);
    bool solveThere(const linalg::LinearSystem& system, double merit, double enough, StepContext& context,
                    StepOutcome& outcome);
    bool searchWay(double before, const SimulationState& state, const Lengths& lengths,
                   const linalg::LinearSystem& system, StepContext& context);
    /// Solves the step again while springs turn taut or slack. `system` is that of the first solve.
    void repeat(const SimulationState& state, const Lengths& lengths, const linalg::LinearSystem& system,
                StepContext& context, StepOutcome& outcome);

    IntegratorSettings settings_;
    StepCoefficients coefficients_;
    ExplicitSprings explicitSprings_;
    ParticlePairs pairs_;
    linalg::BlockMatrix A_;  // of the step; a system that is kept takes it along
    linalg::BlockVector b_, deltaV_, lambda_;
    linalg::BlockVector deltaXBefore_, deltaVBefore_, drift_, explicitNow_, explicitBefore_;
    linalg::BlockMatrix thereA_;
    linalg::BlockVector thereB_, y_, linearizedAt_, candidate_, way_, friction_, explicitStart_, explicitThere_;
    linalg::BlockVector residual_, remainder_;
    std::vector<mechanics::PairTerm> pairsAtStart_, pairsThere_;
    double thereNorm_ = 0;  // |S(thereB_ - thereA_ (I - S) z)|
    ConstraintStage stage_;
    std::shared_ptr<const linalg::FrozenSystem> kept_;           // that of the last step; null: A_ has its matrix
    std::vector<std::shared_ptr<linalg::FrozenSystem>> frozen_;  // to be filled again once nothing else has them
};

}  // namespace clothlab::integrators
