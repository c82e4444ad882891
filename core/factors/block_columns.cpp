#include "factors/block_columns.hpp"

#include <algorithm>
#include <utility>

#include "linalg/block_kernels.hpp"

namespace clothlab::factors {

using simd::Double4;

template <class Real>
void BlockColumns<Real>::analyze(const linalg::BlockPattern& pattern, const DomainOrder& order, WorkerPool& pool) {
    rows_ = pattern.rows;
    std::vector<Index> place(order.order.size());
    for (std::size_t k = 0; k < place.size(); ++k) place[order.order[k]] = Index(k);
    parts_.assign(std::size_t(order.domains()) + 1, {});
    pool.forChunks(parts(), rows_, [&](Index d) {
        const bool domain = d < order.domains();
        parts_[d].analyze(pattern, order, place, order.domainStart[d], domain ? order.domainStart[d + 1] : rows_);
    });
}

/// The rows from first to last of the order.
template <class Real>
void BlockColumns<Real>::Part::analyze(const linalg::BlockPattern& p, const DomainOrder& order,
                                       std::span<const Index> place, Index first, Index last) {
    const Index separators = order.domainStart.back();
    own_ = last - first;
    above_ = first < separators ? p.rows - separators : 0;
    order_.assign(order.order.begin() + first, order.order.begin() + last);
    sourceStart_.assign(1, 0);
    sourceRow_.clear();
    source_.clear();
    std::vector<std::pair<Index, Index>> column;  // row and block
    for (Index k = 0; k < own_; ++k) {
        column.clear();
        for (Index b = p.rowStart[order_[k]]; b < p.rowStart[order_[k] + 1]; ++b)
            if (const Index i = place[p.column[b]]; i > first + k)
                column.emplace_back(i < last ? i - first : own_ + i - separators, b);
        std::sort(column.begin(), column.end());
        for (const auto& [row, block] : column) {
            sourceRow_.push_back(row);
            source_.push_back(block);
        }
        sourceStart_.push_back(Index(source_.size()));
    }
    diagonal_.resize(9 * std::size_t(own_) + linalg::BlockVector::kPadding);
    work_.assign(4 * std::size_t(rows()) + linalg::BlockVector::kPadding, 0.0);
    clear();
}

template <class Real>
void BlockColumns<Real>::Part::clear() {
    start_.assign(1, 0);
    start_.reserve(std::size_t(own_) + 1);
    end_ = 0;
}

template <class Real>
void BlockColumns<Real>::Part::reserve(Index most) {
    const std::size_t need = std::size_t(end_) + std::size_t(most);
    if (need <= row_.size()) return;
    const std::size_t room = std::max({need, row_.size() + row_.size() / 2, source_.size()});
    row_.resize(room);
    values_.resize(9 * room + linalg::BlockVector::kPadding);
}

template <class Real>
std::size_t BlockColumns<Real>::Part::bytes() const {
    const std::size_t indices =
        order_.size() + sourceStart_.size() + sourceRow_.size() + source_.size() + start_.size() + std::size_t(end_);
    return (9 * std::size_t(end_) + diagonal_.size()) * sizeof(Real) + work_.size() * sizeof(double) +
           indices * sizeof(Index);
}

template <class Real>
Index BlockColumns<Real>::blocks() const {
    Index sum = 0;
    for (const Part& part : parts_) sum += part.blocks();
    return sum;
}

template <class Real>
std::size_t BlockColumns<Real>::bytes() const {
    std::size_t sum = 0;
    for (const Part& part : parts_) sum += part.bytes();
    return sum;
}

template <class Real>
void BlockColumns<Real>::solve(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    const Part& separators = parts_.back();
    forDomains(pool, [&](Index d) {
        const Part& part = parts_[d];
        for (Index k = 0; k < part.own(); ++k)
            Double4::load(r.data() + 3 * std::size_t(part.matrixRow(k))).store(part.work(k));
        std::fill(part.work(part.own()), part.work(part.rows()), 0.0);
        part.down();
    });
    for (Index s = 0; s < separators.own(); ++s) {
        Double4 sum = Double4::load(r.data() + 3 * std::size_t(separators.matrixRow(s)));
        for (Index d = 0; d + 1 < parts(); ++d) sum = sum + Double4::load(parts_[d].work(parts_[d].own() + s));
        sum.store(separators.work(s));
    }
    separators.down();
    separators.up(z);
    forDomains(pool, [&](Index d) {
        const Part& part = parts_[d];
        std::copy(separators.work(0), separators.work(separators.own()), part.work(part.own()));
        part.up(z);
    });
}

/// L w = r in place: what is known is taken off the rows that wait for it.
template <class Real>
void BlockColumns<Real>::Part::down() const {
    double* work = work_.data();
    const Real* values = values_.data();
    const Real* diagonal = diagonal_.data();
    const Index* start = start_.data();
    const Index* row = row_.data();
    for (Index k = 0; k < own_; ++k) {
        double* own = work + 4 * std::size_t(k);
        double x[4];
        linalg::times(diagonal + 9 * std::size_t(k), own).store(x);
        Double4::load(x).store(own);
        for (Index s = start[k]; s < start[k + 1]; ++s) {
            double* to = work + 4 * std::size_t(row[s]);
            (Double4::load(to) - linalg::times(values + 9 * std::size_t(s), x)).store(to);
        }
    }
}

/// L^T z = w, backwards.
template <class Real>
void BlockColumns<Real>::Part::up(linalg::BlockVector& z) const {
    double* work = work_.data();
    const Real* values = values_.data();
    const Real* diagonal = diagonal_.data();
    const Index* start = start_.data();
    const Index* row = row_.data();
    for (Index k = own_ - 1; k >= 0; --k) {
        double* own = work + 4 * std::size_t(k);
        Double4 sum = Double4::load(own);
        for (Index s = start[k]; s < start[k + 1]; ++s)
            sum = sum - linalg::transposedTimes(values + 9 * std::size_t(s), work + 4 * std::size_t(row[s]));
        double lanes[4];
        sum.store(lanes);
        linalg::transposedTimes(diagonal + 9 * std::size_t(k), lanes).store(own);
        double* out = z.data() + 3 * std::size_t(order_[k]);
        for (int c = 0; c < 3; ++c) out[c] = own[c];
    }
}

template class BlockColumns<double>;
template class BlockColumns<float>;

}  // namespace clothlab::factors
