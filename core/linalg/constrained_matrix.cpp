#include "linalg/constrained_matrix.hpp"

namespace clothlab::linalg {
namespace {

/// Row i of SAS + s(I - S). Most particles are free and their blocks only copied.
void constrainRow(const BlockMatrix& A, const DofConstraints& constraints, Index i, BlockMatrix& out) {
    const BlockPattern& p = A.pattern();
    const DofConstraint* own = constraints.find(i);
    const Mat3 S = own ? own->S() : Mat3(Mat3::Identity());
    for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
        const Index j = p.column[k];
        const int other = constraints.ndof(j);
        const bool on = A.occupied(k) && (j == i || (other > 0 && !(own && own->ndof == 0)));
        if (!on || (!own && other == 3)) {
            out.takeBlock(k, A.blockData(k), on);
            continue;
        }
        out.setOccupied(k, true);
        if (j == i) {
            out.block(k) = constrainedBlock(A.block(k), S);
        } else {
            out.block(k) = S * A.block(k);
            if (other < 3) out.block(k) = (out.block(k) * constraints.find(j)->S()).eval();
        }
    }
}

}  // namespace

void constrainedDiagonal(const BlockMatrix& A, const DofConstraints& constraints, BlockMatrix& out, WorkerPool& pool) {
    if (!out.hasPattern() || out.rows() != A.rows()) out.reset(makePattern(A.rows(), {}));
    parallelRows(pool, A.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) copyBlock(A.blockData(A.pattern().diagonal[i]), out.blockData(i));
    });
    for (const DofConstraint& c : constraints.constrained()) {
        out.diagonal(c.particle) = constrainedBlock(A.diagonal(c.particle), c.S());
    }
    out.setSymmetricBlocks(true);
}

void constrainedMatrix(const BlockMatrix& A, const DofConstraints& constraints, BlockMatrix& out, WorkerPool& pool) {
    const BlockPattern& p = A.pattern();
    if (!out.hasPattern() || out.pattern().revision != p.revision) out.adopt(A.sharedPattern());
    out.setSymmetricBlocks(A.symmetricBlocks() && constraints.constrained().empty());
    parallelRows(pool, A.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) constrainRow(A, constraints, i, out);
    });
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
