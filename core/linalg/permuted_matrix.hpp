#pragma once

#include <span>

#include "base/worker_pool.hpp"
#include "linalg/block_matrix.hpp"

namespace clothlab::linalg {

/// Q A Q^T, a copy of a symmetric block matrix in another order of rows: row k is row order[k] of A. The pattern is
/// kept while the pattern of A and the order do not change.
class PermutedMatrix {
public:
    void build(const BlockMatrix& A, std::span<const Index> order, WorkerPool& pool);
    const BlockMatrix& matrix() const { return matrix_; }

    /// y = Q x
    void permute(const BlockVector& x, BlockVector& y) const;
    /// x = Q^T y
    void restore(const BlockVector& y, BlockVector& x) const;

private:
    void updatePattern(const BlockMatrix& A, std::span<const Index> order);

    std::uint64_t revision_ = 0;         ///< of the pattern of A
    std::vector<Index> order_, source_;  ///< source_: per block its position in A
    BlockMatrix matrix_;
};

}  // namespace clothlab::linalg
