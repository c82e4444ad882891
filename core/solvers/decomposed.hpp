#pragma once

#include <functional>

#include "linalg/subsystem.hpp"
#include "solvers/solver.hpp"

namespace clothlab::solvers {

/// Any solver, with any preconditioner, on each connected component of the implicit graph separately ([B] ch. 6).
///
/// A system whose graph has fallen apart is block diagonal. Conjugate gradients on the whole of it continue until the
/// slowest component is done, with all rows in every product; alone, a component takes only the iterations that it
/// needs, a factor is as long as the component, and components run in parallel. Each keeps the stopping rule with its
/// own right-hand side: the rule then holds for the whole.
///
/// The method for a component depends on sizes only, so that any number of threads gives the same bits:
///
///     nothing falls apart    the whole system, as if this class were not there
///     half of what is free   the whole system with nothing to do for the others: their residual is zero and stays
///     or more                zero, so that this is the component alone, without a copy, and what is symbolic outlives
///                            what comes loose
///     one particle           its 3x3 block, in one iteration (like block Jacobi)
///     few particles, direct  dense: a sparse factor would take longer to analyze than this takes
///     all others             a copy of its rows, and a solver of its own, kept as long as the component keeps its
///                            particles
///
/// With threads: while one copy has more rows than a fair share of the rest, it runs by itself with all of them; the
/// rest is distributed largest first to idle threads, one thread each.
class Decomposed final : public Solver {
public:
    using MakeSolver = std::function<std::unique_ptr<Solver>()>;
    /// `makeSolver` makes the solver of the settings, for a part. With a `cutSpeed`, pairs that move alike are no edges
    /// (linalg::CutRule). The result is then one sweep of block Jacobi over the pieces, whose residual is that of the
    /// whole system: Stalled, and the summary has the residual reached.
    Decomposed(const SolverSettings& settings, MakeSolver makeSolver)
        : settings_(settings), makeSolver_(std::move(makeSolver)), whole_(makeSolver_()) {}

    void toDeltaV(const linalg::BlockVector& iterate, linalg::BlockVector& deltaV) const override {
        whole_->toDeltaV(iterate, deltaV);
    }
    void forget() override;

private:
    void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
             const SolveControl& control, WorkerPool& pool) override;
    /// A component with a copy of its rows.
    struct Piece {
        Index component = 0;
        linalg::Subsystem system;
        std::unique_ptr<Solver> solver;
        linalg::BlockVector deltaV;
        SolveSummary summary;
    };

    void solveWhole(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
                    const SolveControl& control, WorkerPool& pool);
    void solveLarge(const linalg::LinearSystem& system, Index component, linalg::BlockVector& deltaV,
                    const SolveControl& control, WorkerPool& pool);
    void solveSingles(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, WorkerPool& pool);
    void updatePieces(const linalg::LinearSystem& system, Index large);
    void retirePieces();
    void retire(std::unique_ptr<Piece> piece);
    std::unique_ptr<Piece> newPiece();
    void solvePieces(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, const SolveControl& control,
                     WorkerPool& pool);
    void solvePiece(const linalg::LinearSystem& system, Piece& piece, linalg::BlockVector& deltaV,
                    const SolveControl& control, WorkerPool& pool);
    void measureCuts(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV,
                     SolveSummary& summary) const;
    void combine(Index large, double piecesSeconds, SolveSummary& summary) const;

    SolverSettings settings_;
    MakeSolver makeSolver_;
    std::unique_ptr<Solver> whole_;
    linalg::Components components_;
    linalg::BlockVector quietB_, quietPrevious_;  // for the large component: zero for all others
    linalg::DofConstraints quietConstraints_;
    std::vector<Index> localRow_;                 // per particle
    std::vector<std::unique_ptr<Piece>> pieces_;  // by component
    std::vector<std::unique_ptr<Piece>> spare_;   // of components that are no more: their memory serves the next
    std::vector<Piece*> order_;                   // largest first
    std::vector<Index> singles_;                  // particles
    SolveSummary large_, singlesSummary_;
    double singlesRhs2_ = 0;
};

}  // namespace clothlab::solvers
