#include "linalg/constrained_matrix.hpp"

#include <algorithm>

namespace clothlab::linalg {
namespace {

/// B S of a particle that is constrained in part; what it removes has rank ndof 2: one, ndof 1: two.
void projectColumns(const DofConstraint& c, Eigen::Map<Mat3>& B) {
    B -= (B * c.p).eval() * c.p.transpose();
    if (c.ndof == 1) B -= (B * c.q).eval() * c.q.transpose();
}

/// S B
void projectRows(const DofConstraint& c, Eigen::Map<Mat3>& B) {
    B -= c.p * (c.p.transpose() * B).eval();
    if (c.ndof == 1) B -= c.q * (c.q.transpose() * B).eval();
}

/// Row i of SAS + s(I - S): asItIs(k, occupied) for a block that A has or that is zero, and what S changes into
/// changed(k).
template <class AsItIs, class Changed>
void constrainRow(const BlockMatrix& A, const DofConstraints& constraints, Index i, AsItIs&& asItIs,
                  Changed&& changed) {
    const BlockPattern& p = A.pattern();
    const DofConstraint* own = constraints.find(i);
    const bool known = own && own->ndof == 0;
    for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
        const Index j = p.column[k];
        if (j == i && own) {
            changed(k) = constrainedBlock(A.block(k), own->S());
            continue;
        }
        const int other = constraints.ndof(j);
        const bool on = A.occupied(k) && !known && other > 0;
        if (!on || (!own && other == 3)) {
            asItIs(k, on);
            continue;
        }
        Eigen::Map<Mat3> block = changed(k);
        block = A.block(k);
        if (own) projectRows(*own, block);
        if (other < 3) projectColumns(*constraints.find(j), block);
    }
}

}  // namespace

void constrainedDiagonal(const BlockMatrix& A, const DofConstraints& constraints, BlockMatrix& out, WorkerPool& pool,
                         Mat3 (*makeBlock)(const Mat3& diagonalBlock, const Mat3& S)) {
    if (!out.hasPattern() || out.rows() != A.rows()) out.reset(makePattern(A.rows(), {}));
    parallelRows(pool, A.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) copyBlock(A.blockData(A.pattern().diagonal[i]), out.blockData(i));
    });
    for (const DofConstraint& c : constraints.constrained())
        out.diagonal(c.particle) = makeBlock(A.diagonal(c.particle), c.S());
    out.setSymmetricBlocks(true);
}

void constrainedMatrix(const BlockMatrix& A, const DofConstraints& constraints, BlockMatrix& out, WorkerPool& pool) {
    const BlockPattern& p = A.pattern();
    if (!out.hasPattern() || out.pattern().revision != p.revision) out.adopt(A.sharedPattern());
    out.setSymmetricBlocks(A.symmetricBlocks() && constraints.constrained().empty());
    parallelRows(pool, A.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i)
            constrainRow(
                A, constraints, i, [&](Index k, bool on) { out.copyBlockFrom(k, A.blockData(k), on); },
                [&](Index k) {
                    out.setOccupied(k, true);
                    return out.block(k);
                });
    });
}

void ConstrainedView::build(const BlockMatrix& A, const DofConstraints& constraints, WorkerPool& pool) {
    const BlockPattern& p = A.pattern();
    A_ = &A;
    from_.resize(p.blocks());
    own_.resize(9 * std::size_t(p.blocks()) + BlockVector::kPadding);
    values_[0] = A.blockData(0);
    values_[1] = own_.data();
    parallelRows(pool, p.rows, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const auto first = p.column.begin() + p.rowStart[i], last = p.column.begin() + p.rowStart[i + 1];
            if (std::all_of(first, last, [&](Index j) { return constraints.ndof(j) == 3; })) {
                std::copy(A.occupiedData() + p.rowStart[i], A.occupiedData() + p.rowStart[i + 1],
                          from_.begin() + p.rowStart[i]);
                continue;
            }
            constrainRow(
                A, constraints, i, [&](Index k, bool on) { from_[k] = on ? kMatrix : kNowhere; },
                [&](Index k) {
                    from_[k] = kHere;
                    return Eigen::Map<Mat3>(own_.data() + 9 * std::size_t(k));
                });
        }
    });
}

void outsideOfCore(const BlockMatrix& A, const CoreMask& core, std::uint8_t coreBits, std::vector<Mat3>& outside,
                   WorkerPool& pool) {
    const BlockPattern& p = A.pattern();
    outside.assign(A.rows(), Mat3::Zero());
    parallelRows(pool, A.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            Mat3& own = outside[i];
            for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k)
                if (p.column[k] != i && A.occupied(k) && !(core.offDiagonal[k] & coreBits)) own -= A.block(k);
            own.diagonal().setZero();
        }
    });
}

}  // namespace clothlab::linalg
