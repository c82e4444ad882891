#pragma once

#include "factors/changed_factor.hpp"
#include "integrators/descent/step_objective.hpp"

namespace clothlab::integrators {

/// The matrix that local/global factors once ([L] §4; methods §12.2),
///
///     F = M + a^2 sum k_e A_e A_e^T + a sum d_e A_e A_e^T    (N x N, three axes)
///
/// no less than the Hessian of the step's energy g anywhere: for linear springs, one-sided or not, for a curved bend,
/// which enters with its largest stiffness, and for a projected damper, which enters whole. So a step F dx = -grad g
/// never makes g rise, and F is a metric in which g is well scaled.
///
/// Its factor leaves out the rows of pinned particles. Changes of pins, of the pointer's hold and of its spring change
/// the factor (factors::ChangedFactor). So do particles that stick to solids, if they are about the same as in the
/// previous step. Terms of a single step (other contact, pins along a line or plane, pairs) enter as
///
///     S (F + extra) S dx = S r
///
/// by conjugate gradients preconditioned by F^-1, one iteration if there are no such terms. Another stiffness, mass or
/// step enters in the same way while its factor is made in the background (StepContext::factorMaker): the old one
/// preconditions the new F. A spring that breaks is removed from the factor in the same way as a pin is added.
class PrefactoredMatrix {
public:
    /// Prepares the factor for the step that `objective` has begun at `state`, and the differences from it. Returns the
    /// reason for a failure, or empty.
    std::string prepare(const StepObjective& objective, const SimulationState& state, const StepContext& context,
                        bool again = false);
    /// dx of S (F + extra) S dx = r, r in range(S); if it is not exact, still a direction along which g falls. Leaves
    /// the residual in r. Returns the number of solves with F, 0: it failed (`message`).
    int solve(const StepObjective& objective, linalg::BlockVector& r, linalg::BlockVector& dx, WorkerPool& pool);
    const std::string& message() const { return factor_.message(); }

    /// The factor in use and the pending one.
    const FactorBase& base() const { return base_; }
    /// Reports the times of the factor since `prepare`, its fill and its age.
    void report(StepOutcome& outcome) const;

private:
    /// The parameters of the entries of F.
    struct Key {
        std::uint64_t mesh = 0, laws = 0;
        double a = 0, drag = 0;
        bool operator==(const Key&) const = default;
    };
    void collectHolds(const StepObjective& objective);
    /// Computes the current F.
    void updateSource(double a, const SimulationState& state, const StepContext& context);
    std::vector<double> entries(const StepContext& context, const Key& key, std::span<const Index> broken) const;
    /// The rows the factor leaves out: as now, or if too much has changed since, those pinned and broken now.
    struct LeftOut {
        std::vector<Index> pinned, broken;
    };
    LeftOut leftOut(const SimulationState& state, const StepContext& context) const;
    /// The number of rows in which the held particles differ from those a factor leaves out, with or without sticking
    /// ones.
    std::size_t rowsApart(const factors::FactorSource& from) const;
    /// Treats particles that stick to solids as held, if the factor is nearer to that.
    void joinSticking();
    /// Takes springs that broke or mended since the factor was made.
    void collectLinks(const SimulationState& state, const StepContext& context);
    /// Chooses the factor for this step, and the pending one.
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
