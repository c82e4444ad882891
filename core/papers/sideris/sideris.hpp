#pragma once

#include "papers/stepped_system.hpp"

/// What the tables of [P] Sideris and others have in common, and the product of their figure 2.
namespace clothlab::simulation::sideris {

/// `sideris-free-fall` in its proportions at another size: spacing 0.005 m, sphere of 0.4 of the side, 2 mm under the
/// sheet.
Expected<scene::Scene> sheet(int side, const ReproduceOptions& options);

/// A sparse matrix by single entries, columns ascending within a row.
struct SparseRows {
    std::vector<std::size_t> rowStart{0};
    std::vector<Index> column;
    std::vector<double> value;

    Index rows() const { return static_cast<Index>(rowStart.size()) - 1; }
};

/// H = I - L diag(A)^-1, L the strictly lower triangle by single unknowns.
SparseRows publishedFactor(const linalg::BlockMatrix& A);
SparseRows transposed(const SparseRows& M);
/// H H^T, row by row over the pool; the same bits at any number of threads.
SparseRows product(const SparseRows& H, const SparseRows& transposedH, WorkerPool& pool);
/// y = M x, row by row over the pool.
void multiply(const SparseRows& M, const std::vector<double>& x, std::vector<double>& y, WorkerPool& pool);

}  // namespace clothlab::simulation::sideris
