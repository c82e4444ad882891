#include "linalg/constrained_matrix.hpp"

#include <algorithm>

namespace clothlab::linalg {

void constrainedDiagonal(const BlockMatrix& A, const DofConstraints& constraints, BlockMatrix& out, WorkerPool& pool) {
    if (!out.hasPattern() || out.rows() != A.rows()) out.reset(makePattern(A.rows(), {}));
    parallelRows(pool, A.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) std::copy_n(A.blockData(A.pattern().diagonal[i]), 9, out.blockData(i));
    });
    for (const DofConstraint& c : constraints.constrained()) {
        const Mat3 block = A.diagonal(c.particle), S = c.S();
        out.diagonal(c.particle) = S * block * S + constrainedScale(block) * (Mat3::Identity() - S);
    }
    out.setSymmetricBlocks(true);
}

}  // namespace clothlab::linalg
