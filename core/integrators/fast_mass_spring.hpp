#pragma once

#include "factors/changed_factor.hpp"
#include "integrators/step_objective.hpp"

namespace clothlab::integrators {

/// Local/global iterations on the step's energy g (step_objective.hpp; [L] §4; methods §12.2), in increments:
///
///     F (x_(k+1) - x_k) = -grad g(x_k),     F = M + a^2 sum k_e A_e A_e^T + a sum d_e A_e A_e^T    (N x N, three axes)
///
/// For linear springs, of one side or two, this is the alternation of the paper: the local step stands in the force of
/// each spring, whose direction is its minimizer d_e. As F is no less than the Hessian anywhere, g never rises; a
/// curved bend, whose force has no such d_e, is taken in by its largest stiffness, and a projected damper by its whole
/// one.
///
/// F is made once, with the rows of pinned particles left out. Pins that come and go, and the pointer's hold and
/// spring, change the factor (factors::ChangedFactor). What is there for a step only (contact, pins along a line or
/// plane, pairs) enters the global step as
///
///     S (F + extra) S dx = -S grad g
///
/// by conjugate gradients that F^-1 preconditions, one iteration where nothing of it is there. Another stiffness, mass
/// or step enters in the same way while its factor is made in the background (StepContext::factorMaker): the old one
/// preconditions the new F.
class FastMassSpring final : public Integrator {
public:
    explicit FastMassSpring(const IntegratorSettings& settings) : settings_(settings) {}
    void step(const SimulationState& state, StepContext& context, SimulationState& out, StepOutcome& outcome) override;
    bool take(const IntegratorSettings& settings) override;

    /// `count` iterations on the step that `objective` has begun, from x on. Returns why it cannot, or nothing.
    std::string iterate(StepObjective& objective, const SimulationState& state, int count, linalg::BlockVector& x,
                        StepContext& context, StepOutcome* outcome = nullptr);

private:
    /// What the entries of F are made of.
    struct Key {
        std::uint64_t mesh = 0, laws = 0;
        double a = 0, drag = 0;
        bool operator==(const Key&) const = default;
    };
    /// Has the factor of this step ready, and what differs from it. Returns why it cannot, or nothing.
    std::string prepare(const StepObjective& objective, const SimulationState& state, const StepContext& context);
    void takeHolds(const StepObjective& objective);
    /// F as it is now.
    void takeSource(double a, const SimulationState& state, const StepContext& context);
    std::vector<double> entries(const StepContext& context, const Key& key) const;
    /// The rows that its factor leaves out: as now, or where too much has changed since what is pinned.
    std::vector<Index> leftOut(const SimulationState& state) const;
    /// Which factor serves in this step, and which is coming.
    void chooseFactor(const SimulationState& state, const StepContext& context);
    std::string makeFactor(const StepContext& context);
    std::string followChanges(WorkerPool& pool);
    /// dx of an iteration from -S grad g; returns how many solves with F it took, 0: it failed.
    int globalStep(const StepObjective& objective, WorkerPool& pool);
    void multiply(const StepObjective& objective, const linalg::BlockVector& p, linalg::BlockVector& q,
                  WorkerPool& pool) const;

    IntegratorSettings settings_;
    StepObjective objective_;
    Key key_;                                              // of wanted_
    std::shared_ptr<const factors::FactorSource> wanted_;  // F as it is now
    bool beside_ = false;                                  // F is another one than the factor knows
    std::shared_ptr<const linalg::BlockPattern> graph_;
    factors::ChangedFactor factor_;
    FactorBase base_;
    FactorTimes times_;
    bool adopted_ = false;
    std::vector<Index> held_;
    std::vector<std::pair<Index, double>> pulled_;
    linalg::BlockVector x_, next_, rest_, increment_, z_, p_, q_;
    double factorSeconds_ = 0, analyzeSeconds_ = 0;
};

}  // namespace clothlab::integrators
