#pragma once

#include "linalg/permuted_matrix.hpp"
#include "linalg/reduced_system.hpp"
#include "solvers/iteration_matrix.hpp"
#include "solvers/preconditioning.hpp"

namespace clothlab::solvers {

/// Plain preconditioned conjugate gradients on the reduced system U^T A U ([Y] §3), in the order of its
/// rows or in that of the preconditioner, if it has one ([Y] §6).
class ReducedPcg final : public Solver {
public:
    ReducedPcg(const SolverSettings& settings, Preconditioning preconditioning)
        : settings_(settings), preconditioning_(std::move(preconditioning)) {}
    void toDeltaV(const linalg::BlockVector& iterate, linalg::BlockVector& deltaV) const override {
        reduced_.expand(inRowOrder(iterate), deltaV);
    }
    void forget() override { preconditioning_.forget(); }

private:
    void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
             const SolveControl& control, WorkerPool& pool) override;
    bool prepare(const linalg::LinearSystem& system, SolveSummary& summary, WorkerPool& pool);
    struct Start {
        double rhsNorm2 = 0, rhsPNorm = 0;
        std::optional<double> dot;  ///< as CgProblem::startDot
    };
    Start start(const linalg::LinearSystem& system, WorkerPool& pool);
    bool permuted() const { return !preconditioning_.get().order().empty(); }
    const linalg::BlockVector& rhs() const { return permuted() ? rhs_ : reduced_.rhs(); }
    void restrict(const linalg::BlockVector& full, linalg::BlockVector& y);
    const linalg::BlockVector& inRowOrder(const linalg::BlockVector& y) const;
    void residual(const linalg::BlockVector& y, linalg::BlockVector& r, WorkerPool& pool);

    SolverSettings settings_;
    Preconditioning preconditioning_;
    linalg::ReducedSystem reduced_;
    linalg::RowFrames frames_;  ///< for a preconditioner that deflates
    linalg::PermutedMatrix permutation_;
    IterationMatrix matrix_;
    linalg::BlockVector y_, warm_, warmResidual_;
    linalg::BlockVector rhs_;             ///< in the preconditioner's order
    mutable linalg::BlockVector inRows_;  ///< scratch: in the order of the reduced rows
    CgScratch scratch_;
};

}  // namespace clothlab::solvers
