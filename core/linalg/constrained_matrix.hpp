#pragma once

#include "base/worker_pool.hpp"
#include "linalg/linear_system.hpp"

namespace clothlab::linalg {

/// Scale s of the identity in SAS + s(I - S): a third of the trace of the particle's own block, so that the prescribed
/// directions neither dominate nor vanish in a factor.
inline double constrainedScale(const Mat3& diagonalBlock) { return diagonalBlock.trace() / 3.0; }

/// SAS + s(I - S) of a particle's own block.
inline Mat3 constrainedBlock(const Mat3& diagonalBlock, const Mat3& S) {
    return S * diagonalBlock * S + constrainedScale(diagonalBlock) * (Mat3::Identity() - S);
}

/// SA + I - S of a particle's own block, unsymmetric: [B] (5.4), [C] as printed.
inline Mat3 publishedBlock(const Mat3& diagonalBlock, const Mat3& S) {
    return S * diagonalBlock + Mat3::Identity() - S;
}

/// The diagonal blocks of SAS + s(I - S) as a block-diagonal matrix: enough for the constrained block preconditioner
/// ([B] (5.4) in its symmetric form); with `publishedBlock` those of SA + I - S. `out` keeps its pattern between calls.
void constrainedDiagonal(const BlockMatrix& A, const DofConstraints& constraints, BlockMatrix& out, WorkerPool& pool,
                         Mat3 (*makeBlock)(const Mat3& diagonalBlock, const Mat3& S) = constrainedBlock);

/// SAS + s(I - S) on the pattern of A.
void constrainedMatrix(const BlockMatrix& A, const DofConstraints& constraints, BlockMatrix& out, WorkerPool& pool);

/// SAS + s(I - S) without copying A: blocks of two free particles are read from A, only the others are stored here.
/// Copying a matrix costs as much as factoring it incompletely. A must live, unchanged, as long as the view is used.
class ConstrainedView {
public:
    void build(const BlockMatrix& A, const DofConstraints& constraints, WorkerPool& pool);

    const BlockPattern& pattern() const { return A_->pattern(); }
    Index rows() const { return A_->rows(); }
    bool occupied(Index position) const { return from_[position] != kNowhere; }
    /// Per block: zero if it is not occupied.
    const std::uint8_t* occupiedData() const { return from_.data(); }
    /// The block of an occupied position, and four readable numbers behind its last column.
    const double* blockData(Index position) const {
        return values_[from_[position] == kHere] + 9 * std::size_t(position);
    }
    Eigen::Map<const Mat3> block(Index position) const { return Eigen::Map<const Mat3>(blockData(position)); }
    Eigen::Map<const Mat3> diagonal(Index i) const { return block(pattern().diagonal[i]); }

private:
    static constexpr std::uint8_t kNowhere = 0, kMatrix = 1, kHere = 2;

    const BlockMatrix* A_ = nullptr;
    const double* values_[2] = {};    ///< of A, and own_
    AlignedVector<double> own_;       ///< 9 per block of the pattern; only stored blocks are touched
    std::vector<std::uint8_t> from_;  ///< per block
};

/// `CoreMask::outside`: springs add to the diagonal blocks what they subtract elsewhere, so the part from outside the
/// core is minus the sum of its blocks in the row. Of that, the entries off the diagonal of the 3x3.
void outsideOfCore(const BlockMatrix& A, const CoreMask& core, std::uint8_t coreBits, std::vector<Mat3>& outside,
                   WorkerPool& pool);

}  // namespace clothlab::linalg
