#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/simd.hpp"
#include "base/worker_pool.hpp"
#include "linalg/block_pattern.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::linalg {

/// Symmetric sparse matrix of 3x3 blocks: A_ij = A_ji^T, full rows stored, blocks column after column.
///
/// Each off-diagonal block is marked as occupied or not; an unoccupied block is zero, and multiply, factors and the
/// sparsity view skip it (39 to 47 % of the off-diagonal blocks of a tension-only cloth). The diagonal always counts.
class BlockMatrix {
public:
    BlockMatrix() = default;
    explicit BlockMatrix(std::shared_ptr<const BlockPattern> pattern) { reset(std::move(pattern)); }

    /// Takes a pattern; every block becomes zero and unoccupied.
    void reset(std::shared_ptr<const BlockPattern> pattern);
    /// The same for callers that then take a block for every position: until then the values are arbitrary.
    void adopt(std::shared_ptr<const BlockPattern> pattern);
    void setZero();

    const BlockPattern& pattern() const { return *pattern_; }
    std::shared_ptr<const BlockPattern> sharedPattern() const { return pattern_; }
    bool hasPattern() const { return pattern_ != nullptr; }
    Index rows() const { return pattern_ ? pattern_->rows : 0; }

    double* blockData(Index position) { return values_.data() + 9 * std::size_t(position); }
    const double* blockData(Index position) const { return values_.data() + 9 * std::size_t(position); }
    Eigen::Map<Mat3> block(Index position) { return Eigen::Map<Mat3>(blockData(position)); }
    Eigen::Map<const Mat3> block(Index position) const { return Eigen::Map<const Mat3>(blockData(position)); }
    Eigen::Map<Mat3> diagonal(Index i) { return block(pattern_->diagonal[i]); }
    Eigen::Map<const Mat3> diagonal(Index i) const { return block(pattern_->diagonal[i]); }

    bool occupied(Index position) const { return occupied_[position] != 0; }
    void setOccupied(Index position, bool on) { occupied_[position] = on; }
    /// Copies a block, or makes it zero and unoccupied; for one already unoccupied, up to half of them, that is free.
    inline void copyBlockFrom(Index position, const double* from, bool on);
    const std::uint8_t* occupiedData() const { return occupied_.data(); }
    /// Occupied blocks, diagonal included.
    Index occupiedBlocks() const;

    /// Whether every single off-diagonal block is symmetric, as spring Jacobians are: half the work for the packed
    /// copy. Set by the code that fills the matrix.
    bool symmetricBlocks() const { return symmetricBlocks_; }
    void setSymmetricBlocks(bool on) { symmetricBlocks_ = on; }

    std::size_t bytes() const { return values_.size() * sizeof(double) + occupied_.size(); }

private:
    std::shared_ptr<const BlockPattern> pattern_;
    AlignedVector<double> values_;        // 9 a block, and 4 zeros behind the end for four-wide loads
    std::vector<std::uint8_t> occupied_;  // #blocks
    bool symmetricBlocks_ = false;
};

/// Nine doubles; a call of memmove for each block of a matrix would cost as much as reading it.
template <class Real>
void copyBlock(const double* from, Real* to) {
    simd::Double4::load(from).store(to);
    simd::Double4::load(from + 4).store(to + 4);
    to[8] = Real(from[8]);
}

void BlockMatrix::copyBlockFrom(Index position, const double* from, bool on) {
    if (on)
        copyBlock(from, blockData(position));
    else if (occupied(position))
        std::fill_n(blockData(position), 9, 0.0);
    setOccupied(position, on);
}

/// Adds `value` to block (i, j) and its transpose to (j, i), and marks both. The pair must be in the pattern.
void addPair(BlockMatrix& A, Index i, Index j, const Mat3& value);

/// y = A x over the occupied blocks, plain: for reference residuals, tests and set-up. Loops use PackedMatrix.
void multiply(const BlockMatrix& A, const BlockVector& x, BlockVector& y);
void multiply(const BlockMatrix& A, const BlockVector& x, BlockVector& y, WorkerPool& pool);

/// 3N x 3N dense copy, for tests and small examples.
Eigen::MatrixXd toDense(const BlockMatrix& A);

}  // namespace clothlab::linalg
