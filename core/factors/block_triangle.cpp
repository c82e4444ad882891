#include "factors/block_triangle.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include "linalg/block_kernels.hpp"
#include "linalg/constrained_matrix.hpp"

namespace clothlab::factors {

using simd::Double4;

template <class Real>
void BlockTriangle<Real>::Slots::startRows(std::size_t rows) {
    rowStart.assign(1, 0);
    rowStart.resize(rows + 1);
}

template <class Real>
void BlockTriangle<Real>::Slots::placeRows() {
    std::partial_sum(rowStart.begin(), rowStart.end(), rowStart.begin());
    column.resize(rowStart.back());
    source.resize(column.size());
}

template <class Real>
void BlockTriangle<Real>::analyze(const linalg::BlockPattern& p, DomainOrder order, WorkerPool& pool) {
    assert(Index(order.order.size()) == p.rows);
    order_ = std::move(order.order);
    domainStart_ = std::move(order.domainStart);
    scheduledThreads_ = 0;
    place_.resize(order_.size());
    for (std::size_t k = 0; k < order_.size(); ++k) place_[order_[k]] = Index(k);
    const auto forLower = [&](Index k, auto f) {  // f(column, block) over row k of P A P^T
        const Index i = order_[k];
        for (Index b = p.rowStart[i]; b < p.rowStart[i + 1]; ++b)
            if (const Index j = place_[p.column[b]]; j < k) f(j, b);
    };
    lower_.startRows(order_.size());
    parallelRows(pool, p.rows, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) {
            Index count = 0;
            forLower(k, [&](Index, Index) { ++count; });
            lower_.rowStart[k + 1] = count;
        }
    });
    lower_.placeRows();
    parallelRows(pool, p.rows, [&](Index begin, Index end) {
        std::vector<std::pair<Index, Index>> row;  // column and source
        for (Index k = begin; k < end; ++k) {
            row.clear();
            forLower(k, [&](Index j, Index b) { row.emplace_back(j, b); });
            std::sort(row.begin(), row.end());
            auto slot = std::size_t(lower_.rowStart[k]);
            for (const auto& [column, source] : row) {
                lower_.column[slot] = column;
                lower_.source[slot++] = source;
            }
        }
    });
}

template <class Real>
template <class Source>
void BlockTriangle<Real>::setStructure(const Source& A, WorkerPool& pool, int fillLevel) {
    assert(A.rows() == rows());
    slots_.startRows(order_.size());
    if (fillLevel == 0) {
        selectLowerBlocks(A, pool);
    } else {
        selectWithFill(A);
        scheduledThreads_ = 0;
    }
    makeSchedule(fillLevel == 0 ? lower_ : slots_, pool);
    values_.resize(9 * slots_.column.size() + linalg::BlockVector::kPadding);
    diagonal_.resize(9 * order_.size() + linalg::BlockVector::kPadding);
    work_.resize(4 * order_.size() + linalg::BlockVector::kPadding);
}

/// Which blocks are occupied is hard to guess: no branch but the end of a row depends on it.
template <class Real>
template <class Source>
void BlockTriangle<Real>::selectLowerBlocks(const Source& A, WorkerPool& pool) {
    const std::uint8_t* occupied = A.occupiedData();
    const Index n = rows();
    const Index* from = lower_.rowStart.data();
    parallelRows(pool, n, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) {
            Index count = 0;
            for (Index all = from[k]; all < from[k + 1]; ++all) count += occupied[lower_.source[all]] != 0;
            slots_.rowStart[k + 1] = count;
        }
    });
    slots_.placeRows();
    parallelRows(pool, n, [&](Index begin, Index end) {
        for (Index k = begin; k < end; ++k) {
            auto slot = std::size_t(slots_.rowStart[k]);
            const auto last = std::size_t(slots_.rowStart[k + 1]);
            for (auto all = std::size_t(from[k]); slot < last; ++all) {  // what is not occupied is overwritten
                slots_.column[slot] = lower_.column[all];
                slots_.source[slot] = lower_.source[all];
                slot += occupied[lower_.source[all]] != 0;
            }
        }
    });
}

template <class Real>
template <class Source>
void BlockTriangle<Real>::selectWithFill(const Source& A) {
    const linalg::BlockPattern& p = A.pattern();
    std::vector<Index> lastRow(order_.size(), -1);
    slots_.column.clear();
    slots_.source.clear();
    std::vector<std::pair<Index, Index>> row;        // column and source
    const auto forOccupied = [&](Index k, auto f) {  // f(column, block) over row k of P A P^T
        const Index i = order_[k];
        for (Index b = p.rowStart[i]; b < p.rowStart[i + 1]; ++b)
            if (A.occupied(b)) f(place_[p.column[b]], b);
    };
    for (Index k = 0; k < p.rows; ++k) {
        row.clear();
        forOccupied(k, [&](Index j, Index b) {
            if (j < k) row.emplace_back(j, b);
        });
        for (const auto& entry : row) lastRow[entry.first] = k;
        for (std::size_t own = row.size(), e = 0; e < own; ++e)
            forOccupied(row[e].first, [&, through = row[e].first](Index j, Index) {
                if (j <= through || j >= k || lastRow[j] == k) return;
                lastRow[j] = k;
                row.emplace_back(j, -1);
            });
        std::sort(row.begin(), row.end());
        for (const auto& [column, source] : row) {
            slots_.column.push_back(column);
            slots_.source.push_back(source);
        }
        slots_.rowStart[k + 1] = Index(slots_.column.size());
    }
}

template <class Real>
std::size_t BlockTriangle<Real>::bytes() const {
    std::size_t indices = order_.size() + place_.size();
    for (const Slots* s : {&lower_, &slots_}) indices += s->rowStart.size() + s->column.size() + s->source.size();
    return (values_.size() + diagonal_.size()) * sizeof(Real) + work_.size() * sizeof(double) +
           indices * sizeof(Index) + schedule_.bytes();
}

/// Without fill it is made of the whole pattern, and then serves whichever blocks are occupied.
template <class Real>
void BlockTriangle<Real>::makeSchedule(const Slots& structure, const WorkerPool& pool) {
    if (std::exchange(scheduledThreads_, pool.threads()) == pool.threads()) return;
    const bool worthIt = pool.threads() > domains() && rows() >= pool.inlineRows();
    schedule_.make({structure.rowStart, structure.column, domainStart_}, worthIt ? pool.threads() : 1);
}

template <class Real>
void BlockTriangle<Real>::solve(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    const auto down = [&](Index begin, Index end) { solveDown(r, begin, end); };
    const auto up = [&](Index begin, Index end) { solveUp(z, begin, end); };
    if (scheduled(pool)) return schedule_.downAndUp(pool, down, up);
    const auto forDomains = [&](auto&& sweep) {
        pool.forChunks(domains(), rows(), [&](Index d) { sweep(domainStart_[d], domainStart_[d + 1]); });
    };
    forDomains(down);
    down(domainStart_.back(), rows());
    up(domainStart_.back(), rows());
    forDomains(up);
}

/// T w = r for the rows from begin to end, those that they depend on being done.
template <class Real>
void BlockTriangle<Real>::solveDown(const linalg::BlockVector& r, Index begin, Index end) const {
    double* work = work_.data();
    const Real* values = values_.data();
    const Real* diagonal = diagonal_.data();
    const Index* rowStart = slots_.rowStart.data();
    const Index* column = slots_.column.data();
    for (Index k = begin; k < end; ++k) {
        Double4 sum = Double4::load(r.data() + 3 * std::size_t(order_[k]));
        for (Index s = rowStart[k]; s < rowStart[k + 1]; ++s)
            sum = sum - linalg::times(values + 9 * std::size_t(s), work + 4 * std::size_t(column[s]));
        double lanes[4];
        sum.store(lanes);
        linalg::times(diagonal + 9 * std::size_t(k), lanes).store(work + 4 * std::size_t(k));
    }
}

/// T^T z = w, backwards: what is done of a row is taken off the rows that wait for it.
template <class Real>
void BlockTriangle<Real>::solveUp(linalg::BlockVector& z, Index begin, Index end) const {
    double* work = work_.data();
    const Real* values = values_.data();
    const Real* diagonal = diagonal_.data();
    const Index* rowStart = slots_.rowStart.data();
    const Index* column = slots_.column.data();
    for (Index k = end - 1; k >= begin; --k) {
        double* own = work + 4 * std::size_t(k);
        double x[4];
        linalg::transposedTimes(diagonal + 9 * std::size_t(k), own).store(x);
        double* out = z.data() + 3 * std::size_t(order_[k]);
        for (int c = 0; c < 3; ++c) out[c] = x[c];
        for (Index s = rowStart[k]; s < rowStart[k + 1]; ++s) {
            double* to = work + 4 * std::size_t(column[s]);
            (Double4::load(to) - linalg::transposedTimes(values + 9 * std::size_t(s), x)).store(to);
        }
    }
}

template class BlockTriangle<double>;
template class BlockTriangle<float>;
template void BlockTriangle<double>::setStructure(const linalg::BlockMatrix&, WorkerPool&, int);
template void BlockTriangle<float>::setStructure(const linalg::BlockMatrix&, WorkerPool&, int);
template void BlockTriangle<double>::setStructure(const linalg::ConstrainedView&, WorkerPool&, int);
template void BlockTriangle<float>::setStructure(const linalg::ConstrainedView&, WorkerPool&, int);

}  // namespace clothlab::factors
