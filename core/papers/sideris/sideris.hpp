#pragma once

#include <array>

#include "papers/stepped_system.hpp"

/// Common parts of the tables of [P] Sideris and others, the product of their figure 2, and the tables.
namespace clothlab::papers::sideris {

std::span<const PaperTable> tables();

Expected<Reproduction> table2(Job& job);
Expected<Reproduction> figure2(Job& job);
Expected<Reproduction> figure4(Job& job);

/// A preconditioner of the paper.
struct Contender {
    const char* name;
    preconditioners::PreconditionerSettings settings;
    bool times = false;  ///< multiplies by diag(A) instead
};
std::span<const Contender> contenders();

/// Conjugate gradients from zero until r'P^-1 r is below the threshold, as in the paper's algorithm 1.
solvers::SolverSettings untilBelow(double threshold);
inline constexpr double kThreshold = 1e-15;  ///< J, [P] table 1

/// `sideris-free-fall` in its proportions at another size: spacing 0.005 m, a sphere of 0.4 of the side, 2 mm under the
/// sheet. Gravity is 9.81 m/s^2, under which the guard stops it at step 36 (E-23).
Expected<scene::Scene> sheet(int side, const Job& job);

/// A sparse matrix by single entries, columns ascending within a row.
struct SparseRows {
    std::vector<std::size_t> rowStart{0};
    std::vector<Index> column;
    std::vector<double> value;

    Index rows() const { return Index(rowStart.size()) - 1; }
    /// The start of row r in `column` and `value`; that of rows() is their end.
    std::size_t start(Index r) const { return rowStart[r]; }
};

/// H = I - L diag(A)^-1, L the strictly lower triangle by single unknowns.
SparseRows publishedFactor(const linalg::BlockMatrix& A);
SparseRows transposed(const SparseRows& M);
/// H H^T, row by row over the pool; the same bits at any number of threads.
SparseRows product(const SparseRows& H, const SparseRows& transposedH, WorkerPool& pool);
/// y = M x, row by row over the pool.
void multiply(const SparseRows& M, const std::vector<double>& x, std::vector<double>& y, WorkerPool& pool);

}  // namespace clothlab::papers::sideris
