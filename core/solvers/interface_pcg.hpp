#pragma once

#include "linalg/reduced_system.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/neumann_neumann.hpp"

namespace clothlab::solvers {

/// The multi-domain reformulation proposed in [B] §6.1 and §7.1: on the reduced system U^T A U the interiors of the
/// domains are eliminated, and the interface is left to conjugate gradients with the Neumann-Neumann preconditioner
/// (substructures.hpp, neumann_neumann.hpp). Iterations are those on the interface. Its residual there is that of the
/// whole system, and the tolerance means the same as in other solvers; the P-norm is that of the interface.
class InterfacePcg final : public Solver {
public:
    explicit InterfacePcg(const SolverSettings& settings) : settings_(settings) {}
    void toDeltaV(const linalg::BlockVector& iterate, linalg::BlockVector& deltaV) const override;

private:
    void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
             const SolveControl& control, WorkerPool& pool) override;
    bool prepare(const linalg::LinearSystem& system, SolveSummary& summary, WorkerPool& pool);
    bool factorize(SolveSummary& summary, WorkerPool& pool);
    void solveInterface(const linalg::LinearSystem& system, SolveSummary& summary, const SolveControl& control,
                        WorkerPool& pool);
    void start(const linalg::LinearSystem& system, CgProblem& problem, WorkerPool& pool);
    void residual(const linalg::BlockVector& x, linalg::BlockVector& r, WorkerPool& pool) const;
    double wholeResidual(WorkerPool& pool);

    SolverSettings settings_;
    linalg::ReducedSystem reduced_;
    Substructures parts_;
    NeumannNeumann preconditioner_{parts_};
    std::uint64_t analyzed_ = 0;
    bool factored_ = false;
    CgScratch scratch_;
    linalg::BlockVector g_, x_, warm_, warmResidual_;  ///< of the interface
    mutable linalg::BlockVector y_;                    ///< of the reduced system
    linalg::BlockVector full_;                         ///< likewise: a warm start, a residual
};

}  // namespace clothlab::solvers
