#pragma once

#include <vector>

#include "solvers/solver.hpp"

namespace clothlab::papers {

/// Modified conjugate gradients with Jacobi as in a plain program: the matrix in compressed rows of single numbers, one
/// loop per operation, one thread. Papers compare direct methods with conjugate gradients of this kind; with it the
/// tables show which of their claims are about methods, and which about sparse products.
///
/// The algorithm is that of solvers::Mpcg ([B] Fig. 5.2, corrected), with its start and the P-norm rule, so that both
/// take the same number of iterations up to round-off.
class PlainMpcg final : public solvers::Solver {
public:
    explicit PlainMpcg(double tolerance, int maxIterations = 5000)
        : tolerance_(tolerance), maxIterations_(maxIterations) {}

private:
    void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, solvers::SolveSummary& summary,
             const solvers::SolveControl& control, WorkerPool& pool) override;
    /// Takes the occupied blocks, outside the timing: a plain program assembles this form.
    void copyMatrix(const linalg::BlockMatrix& A);
    void multiply(const linalg::BlockVector& x, linalg::BlockVector& y) const;
    void precondition(const linalg::DofConstraints& constraints);
    double start(const linalg::LinearSystem& system, const linalg::BlockVector& x);
    double iterate(const linalg::DofConstraints& constraints, linalg::BlockVector& x, double rz);

    double tolerance_;
    int maxIterations_;
    std::vector<Index> rowStart_, column_;
    std::vector<double> value_, diagonal_;
    linalg::BlockVector p_, q_, r_, z_;
};

}  // namespace clothlab::papers
