#include "linalg/block_matrix.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cassert>
#include <numeric>

#include "linalg/block_kernels.hpp"

namespace clothlab::linalg {

/// With room to spare: particles that touch each other change a pattern at every step, by a few blocks.
static void makeRoom(AlignedVector<double>& values, std::size_t size) {
    if (size > values.capacity()) values.reserve(size + size / 8);
}

void BlockMatrix::reset(std::shared_ptr<const BlockPattern> pattern) {
    pattern_ = std::move(pattern);
    const std::size_t size = 9 * std::size_t(pattern_->blocks()) + BlockVector::kPadding;
    makeRoom(values_, size);
    values_.assign(size, 0.0);
    occupied_.assign(pattern_->blocks(), 0);
    for (const Index d : pattern_->diagonal) occupied_[d] = 1;
}

void BlockMatrix::adopt(std::shared_ptr<const BlockPattern> pattern) {
    pattern_ = std::move(pattern);
    const auto blocks = std::size_t(pattern_->blocks());
    makeRoom(values_, 9 * blocks + BlockVector::kPadding);
    values_.resize(9 * blocks + BlockVector::kPadding);
    std::fill(values_.end() - BlockVector::kPadding, values_.end(), 0.0);
    occupied_.assign(blocks, 1);  // as far as anybody knows
}

void BlockMatrix::setZero() {
    if (pattern_) reset(pattern_);
}

Index BlockMatrix::occupiedBlocks() const { return std::accumulate(occupied_.begin(), occupied_.end(), Index{0}); }

void multiply(const BlockMatrix& A, const BlockVector& x, BlockVector& y, WorkerPool& pool) {
    const BlockPattern& p = A.pattern();
    assert(x.size() == p.rows);
    if (y.size() != p.rows) y.resize(p.rows);
    parallelRows(pool, p.rows, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            simd::Double4 sum = simd::Double4::zero();
            for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
                if (A.occupied(k)) sum = sum + times(A.blockData(k), x.data() + 3 * std::size_t(p.column[k]));
            sum.store3(y.data() + 3 * std::size_t(i));
        }
    });
}

void addPair(BlockMatrix& A, Index i, Index j, const Mat3& value) {
    const Index ij = A.pattern().find(i, j), ji = A.pattern().find(j, i);
    assert(ij >= 0 && ji >= 0);
    A.block(ij) += value;
    A.setOccupied(ij, true);
    if (i == j) return;
    A.block(ji) += value.transpose();
    A.setOccupied(ji, true);
}

void multiply(const BlockMatrix& A, const BlockVector& x, BlockVector& y) {
    WorkerPool one;
    multiply(A, x, y, one);
}

Eigen::MatrixXd toDense(const BlockMatrix& A) {
    const BlockPattern& p = A.pattern();
    const Eigen::Index n = Eigen::Index{3} * p.rows;
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n, n);
    for (Eigen::Index i = 0; i < p.rows; ++i)
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
            if (A.occupied(k)) dense.block<3, 3>(3 * i, Eigen::Index{3} * p.column[k]) = A.block(k);
    return dense;
}

}  // namespace clothlab::linalg
