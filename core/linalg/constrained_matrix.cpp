#include "linalg/constrained_matrix.hpp"

#include <algorithm>

namespace clothlab::linalg {

void constrainedDiagonal(const BlockMatrix& A, const DofConstraints& constraints, BlockMatrix& out, WorkerPool& pool) {
    if (!out.hasPattern() || out.rows() != A.rows()) out.reset(makePattern(A.rows(), {}));
    parallelRows(pool, A.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) copyBlock(A.blockData(A.pattern().diagonal[i]), out.blockData(i));
    });
    for (const DofConstraint& c : constraints.constrained()) {
        const Mat3 block = A.diagonal(c.particle), S = c.S();
        out.diagonal(c.particle) = S * block * S + constrainedScale(block) * (Mat3::Identity() - S);
    }
    out.setSymmetricBlocks(true);
}

void constrainedMatrix(const BlockMatrix& A, const DofConstraints& constraints, BlockMatrix& out, WorkerPool& pool) {
    const BlockPattern& p = A.pattern();
    if (!out.hasPattern() || out.pattern().revision != p.revision) out.reset(A.sharedPattern());
    parallelRows(pool, A.rows(), [&](Index begin, Index end) {
        std::copy(A.blockData(p.rowStart[begin]), A.blockData(p.rowStart[end]), out.blockData(p.rowStart[begin]));
        for (Index k = p.rowStart[begin]; k < p.rowStart[end]; ++k) out.setOccupied(k, A.occupied(k));
    });
    out.setSymmetricBlocks(A.symmetricBlocks() && constraints.constrained().empty());
    // From the left onto the row and from the right onto the column: blocks between two constrained particles get both.
    for (const DofConstraint& c : constraints.constrained()) {
        const Mat3 S = c.S();
        for (Index k = p.rowStart[c.particle]; k < p.rowStart[c.particle + 1]; ++k) {
            const Index j = p.column[k];
            if (j == c.particle) continue;
            out.block(k) = (S * out.block(k)).eval();
            const Index mirror = p.find(j, c.particle);
            out.block(mirror) = (out.block(mirror) * S).eval();
            if (c.ndof == 0) {
                out.setOccupied(k, false);
                out.setOccupied(mirror, false);
            }
        }
        const Mat3 block = A.diagonal(c.particle);
        out.diagonal(c.particle) = S * block * S + constrainedScale(block) * (Mat3::Identity() - S);
    }
}

void outsideOfCore(const BlockMatrix& A, const CoreMask& core, std::uint8_t coreBits, std::vector<Mat3>& outside,
                   WorkerPool& pool) {
    const BlockPattern& p = A.pattern();
    outside.assign(static_cast<std::size_t>(A.rows()), Mat3::Zero());
    parallelRows(pool, A.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            Mat3& own = outside[static_cast<std::size_t>(i)];
            for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
                if (p.column[k] != i && A.occupied(k) && !(core.offDiagonal[static_cast<std::size_t>(k)] & coreBits))
                    own -= A.block(k);
            own.diagonal().setZero();
        }
    });
}

}  // namespace clothlab::linalg
