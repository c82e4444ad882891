#pragma once

#include "base/worker_pool.hpp"
#include "linalg/linear_system.hpp"

namespace clothlab::linalg {

/// Scale s of the identity in SAS + s(I - S): a third of the trace of the particle's own block, so that the prescribed
/// directions neither dominate nor vanish in a factor (methods §9.3).
inline double constrainedScale(const Mat3& diagonalBlock) { return diagonalBlock.trace() / 3.0; }

/// SAS + s(I - S) of a particle's own block.
inline Mat3 constrainedBlock(const Mat3& diagonalBlock, const Mat3& S) {
    return S * diagonalBlock * S + constrainedScale(diagonalBlock) * (Mat3::Identity() - S);
}

/// The diagonal blocks of SAS + s(I - S) as a block-diagonal matrix: all that the constrained block preconditioner
/// ([B] (5.4) in its symmetric form) needs. `out` keeps its pattern from call to call.
void constrainedDiagonal(const BlockMatrix& A, const DofConstraints& constraints, BlockMatrix& out, WorkerPool& pool);

/// SAS + s(I - S) on the pattern of A.
void constrainedMatrix(const BlockMatrix& A, const DofConstraints& constraints, BlockMatrix& out, WorkerPool& pool);

/// `CoreMask::outside`: springs put onto the diagonal blocks what they take from the others, so the share of those that
/// are outside of the core is minus the sum of their blocks in the row. Of that, what lies off the diagonal of the 3x3.
void outsideOfCore(const BlockMatrix& A, const CoreMask& core, std::uint8_t coreBits, std::vector<Mat3>& outside, WorkerPool& pool);

}  // namespace clothlab::linalg
