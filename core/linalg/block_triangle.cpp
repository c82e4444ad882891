#include "linalg/block_triangle.hpp"

#include <algorithm>
#include <cassert>

#include "linalg/block_kernels.hpp"

namespace clothlab::linalg {

using simd::Double4;

template <class Real>
void BlockTriangle<Real>::Slots::clear() {
    rowStart.assign(1, 0);
    column.clear();
    source.clear();
}

template <class Real>
void BlockTriangle<Real>::analyze(const BlockPattern& p, DomainOrder order) {
    assert(static_cast<Index>(order.order.size()) == p.rows);
    order_ = std::move(order.order);
    domainStart_ = std::move(order.domainStart);
    place_.resize(order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) place_[static_cast<std::size_t>(order_[k])] = static_cast<Index>(k);
    lower_.clear();
    std::vector<std::pair<Index, Index>> row;  // column and source
    for (Index k = 0; k < p.rows; ++k) {
        const Index i = order_[static_cast<std::size_t>(k)];
        row.clear();
        for (Index b = p.rowStart[i]; b < p.rowStart[i + 1]; ++b)
            if (const Index j = place_[static_cast<std::size_t>(p.column[b])]; j < k) row.emplace_back(j, b);
        std::sort(row.begin(), row.end());
        for (const auto& [column, source] : row) {
            lower_.column.push_back(column);
            lower_.source.push_back(source);
        }
        lower_.endRow();
    }
}

template <class Real>
void BlockTriangle<Real>::setStructure(const BlockMatrix& A, int fillLevel) {
    assert(A.rows() == rows());
    slots_.clear();
    if (fillLevel == 0)
        takeLowerBlocks(A);
    else
        takeWithFill(A);
    values_.resize(9 * slots_.column.size() + BlockVector::kPadding);
    diagonal_.resize(9 * order_.size() + BlockVector::kPadding);
    work_.assign(4 * order_.size() + BlockVector::kPadding, 0.0);
}

/// Which blocks are occupied is hard to guess: no branch depends on it.
template <class Real>
void BlockTriangle<Real>::takeLowerBlocks(const BlockMatrix& A) {
    const std::uint8_t* occupied = A.occupiedData();
    slots_.column.resize(lower_.column.size());
    slots_.source.resize(lower_.column.size());
    slots_.rowStart.reserve(lower_.rowStart.size());
    std::size_t slot = 0, all = 0;
    for (std::size_t k = 1; k < lower_.rowStart.size(); ++k) {
        for (const auto end = static_cast<std::size_t>(lower_.rowStart[k]); all < end; ++all) {
            slots_.column[slot] = lower_.column[all];
            slots_.source[slot] = lower_.source[all];
            slot += occupied[lower_.source[all]] != 0;
        }
        slots_.rowStart.push_back(static_cast<Index>(slot));
    }
    slots_.column.resize(slot);
    slots_.source.resize(slot);
}

template <class Real>
void BlockTriangle<Real>::takeWithFill(const BlockMatrix& A) {
    const BlockPattern& p = A.pattern();
    std::vector<Index> lastRow(order_.size(), -1);
    std::vector<std::pair<Index, Index>> row;  // column and source
    const auto forOccupied = [&](Index k, auto f) {  // f(column, block) over row k of P A P^T
        const Index i = order_[static_cast<std::size_t>(k)];
        for (Index b = p.rowStart[i]; b < p.rowStart[i + 1]; ++b)
            if (A.occupied(b)) f(place_[static_cast<std::size_t>(p.column[b])], b);
    };
    for (Index k = 0; k < p.rows; ++k) {
        row.clear();
        forOccupied(k, [&](Index j, Index b) {
            if (j < k) row.emplace_back(j, b);
        });
        for (const auto& entry : row) lastRow[static_cast<std::size_t>(entry.first)] = k;
        for (std::size_t own = row.size(), e = 0; e < own; ++e)
            forOccupied(row[e].first, [&, through = row[e].first](Index j, Index) {
                if (j <= through || j >= k || lastRow[static_cast<std::size_t>(j)] == k) return;
                lastRow[static_cast<std::size_t>(j)] = k;
                row.emplace_back(j, -1);
            });
        std::sort(row.begin(), row.end());
        for (const auto& [column, source] : row) {
            slots_.column.push_back(column);
            slots_.source.push_back(source);
        }
        slots_.endRow();
    }
}

template <class Real>
Mat3 BlockTriangle<Real>::sourceBlock(const BlockMatrix& A, Index slot) const {
    const Index block = slots_.source[static_cast<std::size_t>(slot)];
    return block < 0 ? Mat3::Zero() : Mat3(A.block(block));
}

template <class Real>
std::size_t BlockTriangle<Real>::bytes() const {
    std::size_t indices = order_.size() + place_.size();
    for (const Slots* s : {&lower_, &slots_}) indices += s->rowStart.size() + s->column.size() + s->source.size();
    return (values_.size() + diagonal_.size()) * sizeof(Real) + work_.size() * sizeof(double) + indices * sizeof(Index);
}

template <class Real>
void BlockTriangle<Real>::solve(const BlockVector& r, BlockVector& z, WorkerPool& pool) const {
    forDomains(pool, [&](Index begin, Index end) { solveDown(r, begin, end); });
    solveDown(r, separatorStart(), rows());
    solveUp(z, separatorStart(), rows());
    forDomains(pool, [&](Index begin, Index end) { solveUp(z, begin, end); });
}

/// T w = r for the rows from begin to end, those that they depend on being done.
template <class Real>
void BlockTriangle<Real>::solveDown(const BlockVector& r, Index begin, Index end) const {
    double* work = work_.data();
    const Real* values = values_.data();
    const Real* diagonal = diagonal_.data();
    const Index* rowStart = slots_.rowStart.data();
    const Index* column = slots_.column.data();
    for (Index k = begin; k < end; ++k) {
        Double4 sum = Double4::load(r.data() + 3 * static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]));
        for (Index s = rowStart[k]; s < rowStart[k + 1]; ++s)
            sum = sum - times(values + 9 * static_cast<std::size_t>(s), work + 4 * static_cast<std::size_t>(column[s]));
        double lanes[4];
        sum.store(lanes);
        times(diagonal + 9 * static_cast<std::size_t>(k), lanes).store(work + 4 * static_cast<std::size_t>(k));
    }
}

/// T^T z = w, backwards: what is done of a row is taken off the rows that wait for it.
template <class Real>
void BlockTriangle<Real>::solveUp(BlockVector& z, Index begin, Index end) const {
    double* work = work_.data();
    const Real* values = values_.data();
    const Real* diagonal = diagonal_.data();
    const Index* rowStart = slots_.rowStart.data();
    const Index* column = slots_.column.data();
    for (Index k = end - 1; k >= begin; --k) {
        double* own = work + 4 * static_cast<std::size_t>(k);
        double x[4];
        transposedTimes(diagonal + 9 * static_cast<std::size_t>(k), own).store(x);
        double* out = z.data() + 3 * static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]);
        for (int c = 0; c < 3; ++c) out[c] = x[c];
        for (Index s = rowStart[k]; s < rowStart[k + 1]; ++s) {
            double* to = work + 4 * static_cast<std::size_t>(column[s]);
            (Double4::load(to) - transposedTimes(values + 9 * static_cast<std::size_t>(s), x)).store(to);
        }
    }
}

template <class Real>
void BlockTriangle<Real>::multiply(const BlockVector& x, BlockVector& y) const {
    assert(&x != &y && y.size() == rows());
    for (Index k = 0; k < rows(); ++k) {
        Double4 sum = times(diagonal_.data() + 9 * static_cast<std::size_t>(k), x.data() + 3 * static_cast<std::size_t>(k));
        for (Index s = rowStart(k); s < rowStart(k + 1); ++s)
            sum = sum + times(values_.data() + 9 * static_cast<std::size_t>(s), x.data() + 3 * static_cast<std::size_t>(column(s)));
        sum.store3(y.data() + 3 * static_cast<std::size_t>(k));
    }
}

template <class Real>
void BlockTriangle<Real>::multiplyTransposed(const BlockVector& x, BlockVector& y) const {
    assert(&x != &y && y.size() == rows());
    // A row adds to rows above it alone, whose own share is then already there.
    for (Index k = 0; k < rows(); ++k) {
        const double* xk = x.data() + 3 * static_cast<std::size_t>(k);
        transposedTimes(diagonal_.data() + 9 * static_cast<std::size_t>(k), xk).store3(y.data() + 3 * static_cast<std::size_t>(k));
        for (Index s = rowStart(k); s < rowStart(k + 1); ++s) {
            double* to = y.data() + 3 * static_cast<std::size_t>(column(s));
            (Double4::load(to) + transposedTimes(values_.data() + 9 * static_cast<std::size_t>(s), xk)).store3(to);
        }
    }
}

template class BlockTriangle<double>;
template class BlockTriangle<float>;

}  // namespace clothlab::linalg
