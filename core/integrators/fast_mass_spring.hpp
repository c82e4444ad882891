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
/// by conjugate gradients that F^-1 preconditions, one iteration where nothing of it is there.
class FastMassSpring final : public Integrator {
public:
    explicit FastMassSpring(const IntegratorSettings& settings) : settings_(settings) {}
    void step(const SimulationState& state, StepContext& context, SimulationState& out, StepOutcome& outcome) override;

    /// `count` iterations on the step that `objective` has begun, from x on. Returns why it cannot, or nothing.
    std::string iterate(StepObjective& objective, const SimulationState& state, int count, linalg::BlockVector& x,
                        StepContext& context, StepOutcome* outcome = nullptr);

private:
    /// What F is made of.
    struct Key {
        std::uint64_t mesh = 0, laws = 0;
        double a = 0, drag = 0;
        std::vector<Index> pinned;
        bool operator==(const Key&) const = default;
    };
    std::string prepare(const StepObjective& objective, const SimulationState& state, StepContext& context);
    /// Which particles the factor leaves out: as before, or what is pinned now where too much has changed since.
    void chooseBase(const SimulationState& state);
    std::vector<double> entries(const StepContext& context, const Key& key) const;
    /// dx of an iteration from -S grad g; returns how many solves with F it took, 0: it failed.
    int globalStep(const StepObjective& objective, WorkerPool& pool);
    void multiply(const StepObjective& objective, const linalg::BlockVector& p, linalg::BlockVector& q,
                  WorkerPool& pool) const;

    IntegratorSettings settings_;
    StepObjective objective_;
    Key key_;
    bool beside_ = false;  // something acts that F does not know
    std::shared_ptr<const linalg::BlockPattern> graph_;
    std::uint64_t graphOf_ = 0;
    factors::ChangedFactor factor_;
    FactorBase base_;
    std::vector<Index> held_;
    std::vector<std::pair<Index, double>> pulled_;
    linalg::BlockVector x_, next_, rest_, increment_, z_, p_, q_;
    double factorSeconds_ = 0, analyzeSeconds_ = 0;
};

}  // namespace clothlab::integrators
