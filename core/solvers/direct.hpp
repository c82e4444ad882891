#pragma once

#include "linalg/reduced_system.hpp"
#include "solvers/solver.hpp"

namespace clothlab::solvers {

/// A complete factor of a symmetric positive definite block matrix: the interface of a direct solver to a library.
class DirectFactor {
public:
    virtual ~DirectFactor() = default;
    /// Symbolic work; does nothing if the pattern is unchanged. False = out of memory or refused; the message says why.
    virtual bool analyze(const linalg::BlockPattern& pattern) = 0;
    virtual bool factorize(const linalg::BlockMatrix& A, WorkerPool& pool) = 0;
    virtual bool solve(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) = 0;
    virtual double fill() const = 0;   ///< entries of the factor
    virtual double flops() const = 0;  ///< of the factorization
    virtual std::size_t bytes() const = 0;
    virtual std::string message() const = 0;
};

std::unique_ptr<DirectFactor> makeCholmod(const SolverSettings& settings);
std::unique_ptr<DirectFactor> makeEigenLdlt();

/// A direct solve of the constrained system, in one of two forms:
///
///     reduced        U^T A U: minimal; contacts that appear or vanish change the pattern
///     fixed-pattern  (SAS + s(I - S)) dv = S (b - A (I-S) z) + s (I - S) z: the pattern of A, whatever the contacts
class Direct final : public Solver {
public:
    Direct(const SolverSettings& settings, std::unique_ptr<DirectFactor> factor)
        : settings_(settings), factor_(std::move(factor)) {}

private:
    void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
             const SolveControl& control, WorkerPool& pool) override;
    void constrainedRhs(const linalg::LinearSystem& system);
    bool factorize(const linalg::BlockMatrix& A, SolveSummary& summary, WorkerPool& pool);
    /// `same`: A is that of the last call.
    bool factorAndSolve(const linalg::BlockMatrix& A, const linalg::BlockVector& b, linalg::BlockVector& x, bool same,
                        SolveSummary& summary, WorkerPool& pool);

    SolverSettings settings_;
    std::unique_ptr<DirectFactor> factor_;
    linalg::ReducedSystem reduced_;
    linalg::BlockMatrix constrained_;
    linalg::BlockVector rhs_, y_;
    bool factored_ = false;
};

}  // namespace clothlab::solvers
