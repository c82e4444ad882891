#include "preconditioners/incomplete_cholesky.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

#include "base/simd.hpp"
#include "linalg/block_kernels.hpp"
#include "linalg/vector_kernels.hpp"
#include "preconditioners/small_cholesky.hpp"

namespace clothlab::preconditioners {

template <class Real>
void IncompleteCholesky<Real>::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core,
                                       WorkerPool& pool) {
    part_.analyze(matrix, core);
    bySizeAnalyzed_ = false;
    std::vector<Index> order = factors::orderRows(part_.pattern(), ordering_);
    ordered_ = order.size() == std::size_t(matrix.rows());
    const Index domains = domains_ > 0 ? domains_ : factors::automaticDomains(matrix.rows());
    if (ordered_)
        triangle_.analyze(part_.pattern(), factors::cutIntoDomains(part_.pattern(), std::move(order), domains), pool);
}

namespace {

using linalg::Columns3;

constexpr Index kAhead = 8;  ///< slots; the blocks of A that a triangle takes lie scattered

}  // namespace

/// Row by row, up-looking: L_ij = (A_ij - sum_k L_ik L_jk^T) L_jj^-T over the columns k that both rows have. A
/// breakdown ends the rows of all domains.
template <class Real>
template <class Source>
void IncompleteCholesky<Real>::factorRows(const Source& matrix, double shift, Index first, Index last, Index* slotOf,
                                          std::atomic<bool>& positive) {
    factors::BlockTriangle<Real>& L = triangle_;
    for (Index i = first; i < last && positive.load(std::memory_order_relaxed); ++i) {
        const Index begin = L.rowStart(i), end = L.rowStart(i + 1);
        for (Index s = begin; s < end; ++s) slotOf[L.column(s)] = s;
        Mat3 diagonal = (1 + shift) * L.sourceDiagonal(matrix, i);
        double padded[10];
        linalg::copyBlock(diagonal.data(), padded);
        padded[9] = 0;
        Columns3 pivot = Columns3::load(padded);
        for (Index s = begin; s < end; ++s) {
            if (s + kAhead < L.blocks()) simd::prefetchForRead(L.sourceData(matrix, s + kAhead));
            const Index j = L.column(s);
            Columns3 block = Columns3::load(L.sourceData(matrix, s));
            for (Index t = L.rowStart(j); t < L.rowStart(j + 1); ++t)
                if (const Index own = slotOf[L.column(t)]; own >= 0)
                    block.subtractProduct(Columns3::load(L.block(own).data()), L.block(t).data());
            const Columns3 done = block.timesTransposed(L.diagonal(j).data());
            done.store(L.block(s).data());
            pivot.subtractProduct(done, L.block(s).data());
        }
        for (Index s = begin; s < end; ++s) slotOf[L.column(s)] = -1;
        pivot.store(padded);
        linalg::copyBlock(padded, diagonal.data());
        Mat3 inverse;
        if (!inverseOfCholesky(diagonal, inverse)) return void(positive = false);
        L.diagonal(i) = inverse.template cast<Real>();
    }
}

template <class Real>
template <class Source>
bool IncompleteCholesky<Real>::factorShifted(const Source& matrix, double shift, WorkerPool& pool) {
    std::atomic<bool> positive{true};
    const auto n = std::size_t(triangle_.rows());
    triangle_.forRowsInOrder(pool, [&](Index strand, Index first, Index last) {
        factorRows(matrix, shift, first, last, slotOf_.data() + n * std::size_t(strand), positive);
    });
    if (!positive) std::ranges::fill(slotOf_, -1);  // a row that breaks down leaves its slots behind
    return positive;
}

namespace {

/// The blocks of a triangle column by column, rows ascending.
struct Columns {
    struct Place {
        Index row, slot;
    };
    std::vector<Index> start;
    std::vector<Place> place;

    template <class Real>
    explicit Columns(const factors::BlockTriangle<Real>& L)
        : start(std::size_t(L.rows()) + 1, 0), place(std::size_t(L.blocks())) {
        for (Index s = 0; s < L.blocks(); ++s) ++start[std::size_t(L.column(s)) + 1];
        std::partial_sum(start.begin(), start.end(), start.begin());
        std::vector<Index> next(start.begin(), start.end() - 1);
        for (Index i = 0; i < L.rows(); ++i)
            for (Index s = L.rowStart(i); s < L.rowStart(i + 1); ++s) place[next[L.column(s)]++] = {i, s};
    }
    std::span<const Place> of(Index k) const {
        const auto at = std::size_t(k);
        return std::span(place).subspan(start[at], std::size_t(start[at + 1] - start[at]));
    }
};

}  // namespace

/// Column by column, right-looking: once column k is known, each pair of its rows is either updated or, where the
/// structure has no place for it, compensated. `size` is the trace of the rows' own blocks: the shares are balanced by
/// it.
template <class Real>
template <class Source>
bool IncompleteCholesky<Real>::factorCompensated(const Source& matrix) {
    factors::BlockTriangle<Real>& L = triangle_;
    const Columns columns(L);
    std::vector<Mat3> pivot;
    std::vector<double> size;
    for (Index i = 0; i < L.rows(); ++i) {
        pivot.push_back(L.sourceDiagonal(matrix, i));
        size.push_back(pivot.back().trace());
        for (Index s = L.rowStart(i); s < L.rowStart(i + 1); ++s)
            L.block(s) = L.sourceBlock(matrix, s).template cast<Real>();
    }
    const auto blockAt = [&L](Index slot) { return Mat3(L.block(slot).template cast<double>()); };
    const auto compensate = [&](std::size_t i, const Mat3& U, std::size_t j, const Mat3& V) {
        const double u = U.norm(), v = V.norm();
        if (!(u > 0 && v > 0)) return;
        const double s = v / u * std::sqrt(size[i] / size[j]);
        pivot[i].noalias() += s * U * U.transpose();
        pivot[j].noalias() += V * V.transpose() / s;
    };
    for (Index k = 0; k < L.rows(); ++k) {
        Mat3 inverse;
        if (!inverseOfCholesky(pivot[k], inverse)) return false;
        L.diagonal(k) = inverse.template cast<Real>();
        const auto below = columns.of(k);
        for (const auto& at : below) L.block(at.slot) = (blockAt(at.slot) * inverse.transpose()).template cast<Real>();
        for (std::size_t a = 0; a < below.size(); ++a) {
            const Index i = below[a].row;
            const Mat3 U = blockAt(below[a].slot);
            pivot[i].noalias() -= U * U.transpose();
            for (Index s = L.rowStart(i); s < L.rowStart(i + 1); ++s) slotOf_[L.column(s)] = s;
            for (std::size_t b = 0; b < a; ++b) {  // the block (i, j) with j < i
                const Index j = below[b].row;
                const Mat3 V = blockAt(below[b].slot);
                if (const Index slot = slotOf_[j]; slot >= 0)
                    L.block(slot) -= (U * V.transpose()).template cast<Real>();
                else
                    compensate(std::size_t(i), U, std::size_t(j), V);
            }
            for (Index s = L.rowStart(i); s < L.rowStart(i + 1); ++s) slotOf_[L.column(s)] = -1;
        }
    }
    return true;
}

template <class Real>
Outcome IncompleteCholesky<Real>::update(const UpdateInput& input, WorkerPool& pool) {
    const bool bySize = cure_ == BreakdownCure::Threshold;
    bySizeInUse_ = bySize && input.shift > 0;
    if (!bySizeInUse_) {
        Outcome outcome = input.view ? factor(*input.view, input.shift, pool)
                                     : factor(part_.of(input.matrix, input.core, pool), input.shift, pool);
        bySizeInUse_ = bySize && ordered_ && !outcome.usable;
        if (!bySizeInUse_) return outcome;
    }
    if (!std::exchange(bySizeAnalyzed_, true)) bySize_.analyze(input.matrix, input.core, pool);
    return bySize_.update(input, pool);
}

template <class Real>
template <class Source>
Outcome IncompleteCholesky<Real>::factor(const Source& matrix, double shiftBefore, WorkerPool& pool) {
    constexpr double kFirst = 1e-3, kMost = 10;
    if (!ordered_) return {false, "the ordering of the incomplete factor failed"};
    triangle_.setStructure(matrix, pool, fillLevel_);
    slotOf_.resize(std::size_t(triangle_.rows()) * std::size_t(triangle_.strands()), -1);
    Outcome outcome = outcomeOfStructure();
    if (cure_ == BreakdownCure::Compensate) return factorCompensated(matrix) ? outcome : indefiniteBlock();
    if (cure_ == BreakdownCure::Threshold) return factorShifted(matrix, 0, pool) ? outcome : indefiniteBlock();
    double shift = shiftBefore > kFirst ? shiftBefore / 2 : 0;
    while (!factorShifted(matrix, shift, pool)) {
        shift = std::max(kFirst, 2 * shift);
        if (shift > kMost) return {false, "incomplete Cholesky breaks down even with ten times the diagonal blocks"};
    }
    outcome.shift = shift;
    return outcome;
}

template <class Real>
Outcome IncompleteCholesky<Real>::outcomeOfStructure() const {
    const double blocks = triangle_.blocks(), rows = triangle_.rows();
    const double ofMatrix = fillLevel_ == 0 ? blocks : double(triangle_.blocksOfMatrix());
    return {.entries = 9 * blocks + 6 * rows, .fill = (blocks + rows) / (ofMatrix + rows)};
}

template <class Real>
double IncompleteCholesky<Real>::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z,
                                          WorkerPool& pool) const {
    if (bySizeInUse_) return bySize_.applyDot(r, z, pool);
    triangle_.solve(r, z, pool);
    return linalg::dot(r, z, pool);
}

template class IncompleteCholesky<double>;
template class IncompleteCholesky<float>;

}  // namespace clothlab::preconditioners
