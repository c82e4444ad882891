#include "preconditioners/incomplete_cholesky.hpp"

#include <algorithm>

#include "linalg/vector_kernels.hpp"
#include "preconditioners/row_order.hpp"
#include "preconditioners/small_cholesky.hpp"

namespace clothlab::preconditioners {

void IncompleteCholesky::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*) {
    rows_ = rowOrder(matrix.pattern(), order_);
}

/// Row by row, up-looking: L_ij = (A_ij - sum_k L_ik L_jk^T) L_jj^-T over the columns k that both rows have.
bool IncompleteCholesky::factor(const linalg::BlockMatrix& matrix, double shift) {
    linalg::BlockTriangle& L = triangle_;
    for (Index i = 0; i < L.rows(); ++i) {
        const Index begin = L.rowStart(i), end = L.rowStart(i + 1);
        for (Index s = begin; s < end; ++s) slotOf_[static_cast<std::size_t>(L.column(s))] = s;
        Mat3 pivot = (1 + shift) * L.sourceDiagonal(matrix, i);
        for (Index s = begin; s < end; ++s) {
            const Index j = L.column(s);
            Mat3 block = L.sourceBlock(matrix, s);
            for (Index t = L.rowStart(j); t < L.rowStart(j + 1); ++t)
                if (const Index own = slotOf_[static_cast<std::size_t>(L.column(t))]; own >= 0)
                    block.noalias() -= L.block(own) * L.block(t).transpose();
            L.block(s).noalias() = block * L.inverse(j).transpose();
            pivot.noalias() -= L.block(s) * L.block(s).transpose();
        }
        for (Index s = begin; s < end; ++s) slotOf_[static_cast<std::size_t>(L.column(s))] = -1;
        Mat3 inverse;
        if (!inverseOfCholesky(pivot, inverse)) return false;
        L.inverse(i) = inverse;
    }
    return true;
}

Outcome IncompleteCholesky::update(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool&) {
    constexpr double kFirst = 1e-3, kMost = 10;
    triangle_.setStructure(matrix, rows_);
    slotOf_.assign(rows_.size(), -1);
    double shift = shift_ > kFirst ? shift_ / 2 : 0;
    while (!factor(matrix, shift)) {
        std::fill(slotOf_.begin(), slotOf_.end(), -1);
        shift = std::max(kFirst, 2 * shift);
        if (shift > kMost) return {false, "incomplete Cholesky breaks down even with ten times the diagonal blocks"};
    }
    return {.shift = shift};
}

double IncompleteCholesky::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    triangle_.solve(r, z);
    return linalg::dot(r, z, pool);
}

}  // namespace clothlab::preconditioners
