#pragma once

#include <Eigen/SparseLU>

#include "solvers/solver.hpp"

namespace clothlab::solvers {

/// The combined system (S A + I - S) dv = S b + (I - S) z of [Y] (10) and [B] (5.3), unsymmetric, by LU. The paper says
/// that it does not work; it does (multiply by S and by I - S: E-10), and shows the value of symmetry. Ordered by
/// nested dissection of the blocks, pivots on the diagonal where they are not small.
class CombinedLu final : public Solver {
public:
    explicit CombinedLu(const SolverSettings& settings) : settings_(settings) {}

private:
    void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
             const SolveControl& control, WorkerPool& pool) override;
    using Matrix = Eigen::SparseMatrix<double>;
    void makeStructure(const linalg::BlockPattern& pattern);
    void fill(const linalg::LinearSystem& system);

    SolverSettings settings_;
    std::vector<Index> order_;   ///< order_[k] = the k-th particle
    std::vector<Index> source_;  ///< per block of the permuted matrix, by columns: block of A, to be transposed
    std::vector<Index> columnStart_, row_;  ///< of the permuted block matrix, rows ascending
    Matrix matrix_;
    Eigen::SparseLU<Matrix, Eigen::NaturalOrdering<int>> factor_;
    Eigen::VectorXd rhs_;
    std::uint64_t revision_ = 0;
};

}  // namespace clothlab::solvers
