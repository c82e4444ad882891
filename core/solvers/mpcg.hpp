#pragma once

#include "linalg/constrained_matrix.hpp"
#include "solvers/iteration_matrix.hpp"
#include "solvers/preconditioning.hpp"

namespace clothlab::solvers {

/// Modified conjugate gradients: constraints are filtered inside the iteration ([B] Fig. 5.2).
///
/// `corrected` (Ascher and Boxerman): start S x0 + (I-S) z, measured against b^ = S(b - A (I-S) z). The warm start x0
/// is the previous dv, taken only if its residual is smaller in the P-norm than that of zero.
/// `original` (Baraff and Witkin, [C] Alg. 1 with P^-1 where P is printed, E-40): start z, measured against S b.
class Mpcg final : public Solver {
public:
    Mpcg(const SolverSettings& settings, Preconditioning preconditioning)
        : settings_(settings), preconditioning_(std::move(preconditioning)) {}
    void forget() override { preconditioning_.forget(); }

private:
    void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
             const SolveControl& control, WorkerPool& pool) override;
    bool prepare(const linalg::LinearSystem& system, SolveSummary& summary, WorkerPool& pool);
    void start(const linalg::LinearSystem& system, linalg::BlockVector& x, WorkerPool& pool, double& rhsNorm2,
               double& rhsPNorm);
    /// b^ of the variant; x is scratch, and then (I-S) z if the variant needs it.
    void rightHandSide(const linalg::LinearSystem& system, linalg::BlockVector& x, linalg::BlockVector& rhs,
                       WorkerPool& pool);
    /// r = S (b - A x)
    void residual(const linalg::LinearSystem& system, const linalg::BlockVector& x, linalg::BlockVector& r,
                  WorkerPool& pool);

    SolverSettings settings_;
    Preconditioning preconditioning_;
    IterationMatrix matrix_;
    linalg::BlockMatrix constrained_;
    linalg::ConstrainedView view_;
    linalg::RowFrames frames_;  ///< for a preconditioner that deflates
    linalg::CoreMask core_;     ///< with the part outside of it, if needed
    linalg::BlockVector warm_, warmResidual_;
    CgScratch scratch_;
};

}  // namespace clothlab::solvers
