#pragma once

#include "factors/changed_factor.hpp"
#include "integrators/descent/step_objective.hpp"

namespace clothlab::integrators {

/// The matrix that local/global factors once ([L] §4; methods §12.2),
///
///     F = M + a^2 sum k_e A_e A_e^T + a sum d_e A_e A_e^T    (N x N, three axes)
///
/// no less than the Hessian of the step's energy g anywhere: for linear springs of one side or two, and for a curved
/// bend, which is taken in by its largest stiffness, and a projected damper by its whole one. So a step
/// F dx = -grad g never makes g rise, and F is a metric in which g is well scaled.
///
/// Its factor leaves out the rows of pinned particles. Pins that come and go, and the pointer's hold and spring, change
/// the factor (factors::ChangedFactor). So do particles that stick to solids, when they are about the same as in the
/// step before. What is there for a step only (other contact, pins along a line or plane, pairs) enters as
///
///     S (F + extra) S dx = S r
///
/// by conjugate gradients that F^-1 preconditions, one iteration where nothing of it is there. Another stiffness, mass
/// or step enters in the same way while its factor is made in the background (StepContext::factorMaker): the old one
/// preconditions the new F. A spring that breaks is taken out of the factor in the same way as a pin comes in.
class PrefactoredMatrix {
public:
    /// Has the factor of the step ready that `objective` has begun at `state`, and what differs from it. Returns why it
    /// cannot, or nothing.
    std::string prepare(const StepObjective& objective, const SimulationState& state, const StepContext& context,
                        bool again = false);
    /// dx of S (F + extra) S dx = r, r in range(S); where it is not exact, a direction along which g falls anyway.
    /// Leaves what is left over in r. Returns how many solves with F it took, 0: it failed (`message`).
    int solve(const StepObjective& objective, linalg::BlockVector& r, linalg::BlockVector& dx, WorkerPool& pool);
    const std::string& message() const { return factor_.message(); }

    /// Which factor served, which is coming.
    const FactorBase& base() const { return base_; }
    /// What the factor took since `prepare`, its fill and its age.
    void report(StepOutcome& outcome) const;

private:
    /// What the entries of F are made of.
    struct Key {
        std::uint64_t mesh = 0, laws = 0;
        double a = 0, drag = 0;
        bool operator==(const Key&) const = default;
    };
    void takeHolds(const StepObjective& objective);
    /// F as it is now.
    void takeSource(double a, const SimulationState& state, const StepContext& context);
    std::vector<double> entries(const StepContext& context, const Key& key, std::span<const Index> broken) const;
    /// What the factor leaves out: as now, or where too much has changed since, what is pinned and broken now.
    struct LeftOut {
        std::vector<Index> pinned, broken;
    };
    LeftOut leftOut(const SimulationState& state, const StepContext& context) const;
    /// How many rows what is held differs from what a factor leaves out, with or without what sticks.
    std::size_t rowsApart(const factors::FactorSource& from) const;
    /// Takes what sticks to solids among what is held, where the factor is nearer to that.
    void joinSticking();
    /// Springs that broke, or are whole again, since the factor was made.
    void takeLinks(const SimulationState& state, const StepContext& context);
    /// Which factor serves in this step, and which is coming.
    void chooseFactor(const SimulationState& state, const StepContext& context);
    std::string makeFactor(const StepContext& context);
    std::string followChanges(WorkerPool& pool);
    void multiply(const StepObjective& objective, const linalg::BlockVector& p, linalg::BlockVector& q,
                  WorkerPool& pool) const;

    Key key_;                                              // of wanted_
    std::shared_ptr<const factors::FactorSource> wanted_;  // F as it is now
    bool beside_ = false;                                  // F is another one than the factor knows
    std::shared_ptr<const linalg::BlockPattern> graph_;
    factors::ChangedFactor factor_;
    FactorBase base_;
    FactorTimes times_;
    bool adopted_ = false;
    std::vector<Index> held_, sticking_;
    std::vector<std::pair<Index, double>> pulled_;
    std::vector<factors::ChangedFactor::Link> links_;
    linalg::BlockVector z_, p_, q_;
    double factorSeconds_ = 0, analyzeSeconds_ = 0;
};

}  // namespace clothlab::integrators
