#include "linalg/block_triangle.hpp"

#include <algorithm>
#include <cassert>

#include "base/simd.hpp"

namespace clothlab::linalg {

using simd::Double4;

void BlockTriangle::setStructure(const BlockMatrix& A, std::span<const Index> order, int fillLevel) {
    const BlockPattern& p = A.pattern();
    assert(static_cast<Index>(order.size()) == p.rows);
    order_.assign(order.begin(), order.end());
    std::vector<Index> place(order.size()), lastRow(fillLevel > 0 ? order.size() : 0, -1);
    for (std::size_t k = 0; k < order.size(); ++k) place[static_cast<std::size_t>(order[k])] = static_cast<Index>(k);
    rowStart_.assign(1, 0);
    if (fillLevel == 0 && std::is_sorted(order_.begin(), order_.end())) {
        takeLowerBlocks(A);
        return makeRoom();
    }
    column_.clear();
    source_.clear();
    std::vector<std::pair<Index, Index>> row;  // column and source
    const auto forOccupied = [&](Index k, auto f) {  // f(column, block) over row k of P A P^T
        const Index i = order_[static_cast<std::size_t>(k)];
        for (Index b = p.rowStart[i]; b < p.rowStart[i + 1]; ++b)
            if (A.occupied(b)) f(place[static_cast<std::size_t>(p.column[b])], b);
    };
    for (Index k = 0; k < p.rows; ++k) {
        row.clear();
        forOccupied(k, [&](Index j, Index b) {
            if (j < k) row.emplace_back(j, b);
        });
        if (fillLevel > 0) {
            for (const auto& entry : row) lastRow[static_cast<std::size_t>(entry.first)] = k;
            for (std::size_t own = row.size(), e = 0; e < own; ++e)
                forOccupied(row[e].first, [&, through = row[e].first](Index j, Index) {
                    if (j <= through || j >= k || lastRow[static_cast<std::size_t>(j)] == k) return;
                    lastRow[static_cast<std::size_t>(j)] = k;
                    row.emplace_back(j, -1);
                });
        }
        if (!std::is_sorted(row.begin(), row.end())) std::sort(row.begin(), row.end());
        for (const auto& [column, source] : row) {
            column_.push_back(column);
            source_.push_back(source);
        }
        rowStart_.push_back(static_cast<Index>(column_.size()));
    }
    makeRoom();
}

/// The structure in the order of the matrix itself. Which blocks are occupied is hard to guess: no branch depends on it.
void BlockTriangle::takeLowerBlocks(const BlockMatrix& A) {
    const BlockPattern& p = A.pattern();
    const std::uint8_t* occupied = A.occupiedData();
    column_.resize(static_cast<std::size_t>(p.blocks()));
    source_.resize(column_.size());
    Index slot = 0;
    for (Index i = 0; i < p.rows; ++i) {
        for (Index b = p.rowStart[i]; b < p.diagonal[i]; ++b) {
            column_[static_cast<std::size_t>(slot)] = p.column[b];
            source_[static_cast<std::size_t>(slot)] = b;
            slot += occupied[b] != 0;
        }
        rowStart_.push_back(slot);
    }
    column_.resize(static_cast<std::size_t>(slot));
    source_.resize(column_.size());
}

void BlockTriangle::makeRoom() {
    values_.resize(9 * column_.size() + BlockVector::kPadding);
    diagonal_.resize(9 * order_.size() + BlockVector::kPadding);
    work_.assign(4 * order_.size() + BlockVector::kPadding, 0.0);
}

Mat3 BlockTriangle::sourceBlock(const BlockMatrix& A, Index slot) const {
    const Index block = source_[static_cast<std::size_t>(slot)];
    return block < 0 ? Mat3::Zero() : Mat3(A.block(block));
}

std::size_t BlockTriangle::bytes() const {
    return (values_.size() + diagonal_.size() + work_.size()) * sizeof(double) +
           (order_.size() + rowStart_.size() + column_.size() + source_.size()) * sizeof(Index);
}

namespace {

/// M x for the block at m.
inline Double4 times(const double* m, const double* x) {
    return multiplyAdd(Double4::load(m), Double4::of(x),
                       multiplyAdd(Double4::load(m + 3), Double4::of(x + 1), Double4::load(m + 6) * Double4::of(x + 2)));
}

/// M^T x for the block at m.
inline Double4 transposedTimes(const double* m, const double* x) {
    Double4 r0 = Double4::zero(), r1 = r0, r2 = r0;
    transpose3(Double4::load(m), Double4::load(m + 3), Double4::load(m + 6), r0, r1, r2);
    return multiplyAdd(r0, Double4::of(x), multiplyAdd(r1, Double4::of(x + 1), r2 * Double4::of(x + 2)));
}

}  // namespace

void BlockTriangle::solve(const BlockVector& r, BlockVector& z) const {
    const Index n = rows();
    double* work = work_.data();
    const double* values = values_.data();
    const double* diagonal = diagonal_.data();
    for (Index k = 0; k < n; ++k) {
        Double4 sum = Double4::load(r.data() + 3 * static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]));
        for (Index s = rowStart_[static_cast<std::size_t>(k)]; s < rowStart_[static_cast<std::size_t>(k) + 1]; ++s)
            sum = sum - times(values + 9 * static_cast<std::size_t>(s), work + 4 * static_cast<std::size_t>(column_[static_cast<std::size_t>(s)]));
        double lanes[4];
        sum.store(lanes);
        times(diagonal + 9 * static_cast<std::size_t>(k), lanes).store(work + 4 * static_cast<std::size_t>(k));
    }
    for (Index k = n - 1; k >= 0; --k) {
        double* own = work + 4 * static_cast<std::size_t>(k);
        double x[4];
        transposedTimes(diagonal + 9 * static_cast<std::size_t>(k), own).store(x);
        double* out = z.data() + 3 * static_cast<std::size_t>(order_[static_cast<std::size_t>(k)]);
        for (int c = 0; c < 3; ++c) out[c] = x[c];
        for (Index s = rowStart_[static_cast<std::size_t>(k)]; s < rowStart_[static_cast<std::size_t>(k) + 1]; ++s) {
            double* to = work + 4 * static_cast<std::size_t>(column_[static_cast<std::size_t>(s)]);
            (Double4::load(to) - transposedTimes(values + 9 * static_cast<std::size_t>(s), x)).store(to);
        }
    }
}

void BlockTriangle::multiply(const BlockVector& x, BlockVector& y) const {
    assert(&x != &y && y.size() == rows());
    for (Index k = 0; k < rows(); ++k) {
        Double4 sum = times(diagonal_.data() + 9 * static_cast<std::size_t>(k), x.data() + 3 * static_cast<std::size_t>(k));
        for (Index s = rowStart(k); s < rowStart(k + 1); ++s)
            sum = sum + times(values_.data() + 9 * static_cast<std::size_t>(s), x.data() + 3 * static_cast<std::size_t>(column(s)));
        sum.store3(y.data() + 3 * static_cast<std::size_t>(k));
    }
}

void BlockTriangle::multiplyTransposed(const BlockVector& x, BlockVector& y) const {
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

}  // namespace clothlab::linalg
