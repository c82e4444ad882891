#include <algorithm>
#include <cassert>
#include <type_traits>

#include "base/simd.hpp"
#include "factors/multifrontal.hpp"

namespace clothlab::factors {
namespace {

using simd::Double4;

constexpr Index kWidth = 6;    ///< columns of the factor that a pass over the rows takes together
constexpr Index kBlock = 96;   ///< columns between two regions of a front that is cut over threads
constexpr Index kSlab = 256;   ///< rows of L21 that one thread takes at a time
constexpr Index kCut = 40000;  ///< values from which a front is worth cutting

constexpr Index roundUp4(Index n) { return (n + 3) & ~Index{3}; }

/// The columns of a panel are too short for the hardware prefetcher, so the next panel is prefetched while this one is
/// read.
template <int kColumns, class T>
void prefetch(const T* p) {
    constexpr int kLine = 64 / sizeof(T);
    for (int k = 0; k < 4 * kColumns; k += kLine) simd::prefetchForRead(p + k);
}

/// The fronts' vectors have a quadruple of zeros behind them: a pass ends on a whole quadruple, whose surplus lanes
/// meet the next column (always inside the factor, for the last supernode has no rows below its columns).
///
/// v[r] -= sum_c L[r, c] y[c] for r = begin .. end-1, in whole quadruples and a scalar rest.
template <int kColumns, class T>
void subtractProduct(const T* l, Index ld, const double* y, double* v, Index begin, Index end) {
    Double4 factor[kColumns];
    for (int c = 0; c < kColumns; ++c) factor[c] = Double4::all(-y[c]);
    Index r = begin;
    const T* ahead = l + std::size_t(kColumns) * ld;
    for (; r + 4 <= end; r += 4, ahead += 4 * kColumns) {
        prefetch<kColumns>(ahead);
        Double4 sum = Double4::load(v + r);
        for (int c = 0; c < kColumns; ++c)
            sum = multiplyAdd(Double4::load(l + std::size_t(c) * ld + r), factor[c], sum);
        sum.store(v + r);
    }
    for (; r < end; ++r)
        for (int c = 0; c < kColumns; ++c) v[r] -= double(l[std::size_t(c) * ld + r]) * y[c];
}

/// y[c] -= sum_r L[r, c] v[r] over r = begin .. end-1.
template <int kColumns, class T>
void subtractDots(const T* l, Index ld, const double* v, Index begin, Index end, double* y) {
    Double4 sum[kColumns];
    for (int c = 0; c < kColumns; ++c) sum[c] = Double4::zero();
    Index r = begin;
    const T* behind = l;
    for (; r + 4 <= end; r += 4) {
        behind -= 4 * kColumns;
        prefetch<kColumns>(behind);
        const Double4 x = Double4::load(v + r);
        for (int c = 0; c < kColumns; ++c) sum[c] = multiplyAdd(Double4::load(l + std::size_t(c) * ld + r), x, sum[c]);
    }
    for (int c = 0; c < kColumns; ++c) {
        double rest = sum[c].sum();
        for (Index q = r; q < end; ++q) rest += double(l[std::size_t(c) * ld + q]) * v[q];
        y[c] -= rest;
    }
}

/// f(first column, width as a constant) over the panels of columns c0 .. c1-1; a panel is 6 wide or 3.
template <class F>
void overPanels(Index c0, Index c1, F&& f) {
    Index c = c0;
    for (; c + kWidth <= c1; c += kWidth) f(c, std::integral_constant<int, kWidth>{});
    for (; c < c1; c += 3) f(c, std::integral_constant<int, 3>{});
}
template <class F>
void overPanelsBackward(Index c0, Index c1, F&& f) {
    const Index wide = c0 + (c1 - c0) / kWidth * kWidth;
    for (Index c = c1 - 3; c >= wide; c -= 3) f(c, std::integral_constant<int, 3>{});
    for (Index c = wide - kWidth; c >= c0; c -= kWidth) f(c, std::integral_constant<int, kWidth>{});
}

/// L y = v on a panel's own triangle, in place. One row waits for the next: products and sums are fused.
template <int kColumns, class T>
void solveCorner(const T* l, Index ld, const double* inverse, double* v) {
    double y[kColumns];
    for (int r = 0; r < kColumns; ++r) y[r] = v[r];
    for (int c = 0; c < kColumns; ++c) {
        y[c] *= inverse[c];
        for (int r = c + 1; r < kColumns; ++r)
            y[r] = simd::multiplyAdd(-double(l[std::size_t(c) * ld + r]), y[c], y[r]);
    }
    for (int r = 0; r < kColumns; ++r) v[r] = y[r];
}
template <int kColumns, class T>
void solveCornerTransposed(const T* l, Index ld, const double* inverse, double* v) {
    double x[kColumns];
    for (int c = 0; c < kColumns; ++c) x[c] = v[c];
    for (int c = kColumns - 1; c >= 0; --c) {
        x[c] *= inverse[c];
        for (int k = 0; k < c; ++k) x[k] = simd::multiplyAdd(-double(l[std::size_t(k) * ld + c]), x[c], x[k]);
    }
    for (int c = 0; c < kColumns; ++c) v[c] = x[c];
}

/// Where a block of columns that starts at `c` ends: a small front is one block.
Index blockEnd(Index c, Index columns, bool cut) { return cut ? std::min(c + kBlock, columns) : columns; }

}  // namespace

void Multifrontal::prepareSolve() {
    inverseDiagonal_.resize(3 * particles_.size());
    std::size_t at = 0;
    size_ = largestFront_ = 0;
    for (Front& front : fronts_) {
        front.local = at;
        at += std::size_t(roundUp4(front.rows)) + 4;
        const auto values = std::size_t(front.rows) * front.columns;
        size_ = std::max(size_, front.values + values);
        largestFront_ = std::max(largestFront_, values);
    }
    local_.assign(at, 0.0);
}

/// The columns of a front from b.
void Multifrontal::take(const Front& front, const linalg::BlockVector& b, bool ordered, double* v) const {
    if (ordered) {
        std::copy_n(b.data() + front.firstColumn, front.columns, v);
        return;
    }
    for (Index k = 0; k < front.columns / 3; ++k) {
        const double* from = b.data() + 3 * std::size_t(particles_[front.firstColumn / 3 + k]);
        for (int c = 0; c < 3; ++c) v[3 * k + c] = from[c];
    }
}

/// The columns of a front to x.
void Multifrontal::give(const Front& front, const double* v, bool ordered, linalg::BlockVector& x) const {
    if (ordered) {
        std::copy_n(v, front.columns, x.data() + front.firstColumn);
        return;
    }
    for (Index k = 0; k < front.columns / 3; ++k) {
        double* to = x.data() + 3 * std::size_t(particles_[front.firstColumn / 3 + k]);
        for (int c = 0; c < 3; ++c) to[c] = v[3 * k + c];
    }
}

template <class T>
void Multifrontal::forward(const Front& front, const T* factor, WorkerPool& tiles) const {
    const Index n = front.columns, ld = front.rows;
    double* v = local_.data() + front.local;
    std::fill(v + n, v + roundUp4(ld) + 4, 0.0);
    for (Index c = front.firstChild; c < front.endChild; ++c) {
        const Front& child = fronts_[children_[c]];
        const double* contribution = local_.data() + child.local + child.columns;
        for (Index k = child.firstRun; k < child.endRun; ++k) {
            const Run& run = runs_[k];
            double* to = v + run.parent;
            const double* from = contribution + run.child;
            for (Index i = 0; i < run.length; i += 3)  // rows come in threes
                for (int r = 0; r < 3; ++r) to[i + r] += from[i + r];
        }
    }
    const T* l = factor + front.values;
    const bool cut = n * ld >= kCut;
    for (Index c0 = 0; c0 < n; c0 = blockEnd(c0, n, cut)) {
        const Index c1 = blockEnd(c0, n, cut), end = cut ? c1 : ld;
        overPanels(c0, c1, [&](Index c, auto width) {
            const T* panel = l + std::size_t(c) * ld;
            solveCorner<width>(panel + c, ld, inverseDiagonal_.data() + front.firstColumn + c, v + c);
            subtractProduct<width>(panel, ld, v + c, v, c + width, cut ? end : c + width + roundUp4(end - c - width));
        });
        if (!cut || c1 == ld) continue;
        tiles.forChunks((ld - c1 + kSlab - 1) / kSlab, 1 << 20, [&](Index t) {
            const Index begin = c1 + t * kSlab, stop = std::min(begin + kSlab, ld);
            overPanels(c0, c1, [&](Index c, auto width) {
                subtractProduct<width>(l + std::size_t(c) * ld, ld, v + c, v, begin, stop);
            });
        });
    }
}

template <class T>
void Multifrontal::backward(const Front& front, const T* factor, WorkerPool& tiles) const {
    const Index n = front.columns, ld = front.rows;
    double* v = local_.data() + front.local;
    if (front.parent >= 0) {
        const double* known = local_.data() + fronts_[front.parent].local;
        for (Index k = front.firstRun; k < front.endRun; ++k) {
            const Run& run = runs_[k];
            const double* from = known + run.parent;
            double* to = v + n + run.child;
            for (Index i = 0; i < run.length; i += 3)
                for (int r = 0; r < 3; ++r) to[i + r] = from[i + r];
        }
    }
    std::fill(v + ld, v + roundUp4(ld) + 4, 0.0);
    const T* l = factor + front.values;
    const bool cut = n * ld >= kCut;
    const Index last = cut ? (n - 1) / kBlock * kBlock : 0;
    for (Index c0 = last; c0 >= 0; c0 -= kBlock) {
        const Index c1 = blockEnd(c0, n, cut), end = cut ? c1 : ld;
        if (cut && c1 < ld)
            tiles.forChunks((c1 - c0 + kWidth - 1) / kWidth, 1 << 20, [&](Index t) {
                const Index first = c0 + t * kWidth;
                overPanels(first, std::min(first + kWidth, c1), [&](Index c, auto width) {
                    subtractDots<width>(l + std::size_t(c) * ld, ld, v, c1, c1 + roundUp4(ld - c1), v + c);
                });
            });
        overPanelsBackward(c0, c1, [&](Index c, auto width) {
            const T* panel = l + std::size_t(c) * ld;
            subtractDots<width>(panel, ld, v, c + width, cut ? end : c + width + roundUp4(end - c - width), v + c);
            solveCornerTransposed<width>(panel + c, ld, inverseDiagonal_.data() + front.firstColumn + c, v + c);
        });
    }
}

template <class T>
void Multifrontal::solveWith(const T* factor, const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool,
                             bool ordered) const {
    assert(std::size_t(b.size()) == particles_.size());
    if (x.size() != b.size()) x.resize(b.size());
    const auto down = [&](Index k, WorkerPool& tiles) {
        const Front& front = fronts_[order_[k]];
        take(front, b, ordered, local_.data() + front.local);
        forward(front, factor, tiles);
    };
    const auto up = [&](Index k, WorkerPool& tiles) {
        const Front& front = fronts_[order_[k]];
        backward(front, factor, tiles);
        give(front, local_.data() + front.local, ordered, x);
    };
    const auto forTasks = [&](Index level, auto&& f) {
        pool.forChunks(levelStart_[level + 1] - levelStart_[level], b.size(), [&](Index t) {
            WorkerPool alone;
            const Index task = levelStart_[level] + t;
            f(taskStart_[task], taskStart_[task + 1], alone);
        });
    };
    const auto allDown = [&](Index begin, Index end, WorkerPool& tiles) {
        for (Index k = begin; k < end; ++k) down(k, tiles);
    };
    const auto allUp = [&](Index begin, Index end, WorkerPool& tiles) {
        for (Index k = end - 1; k >= begin; --k) up(k, tiles);
    };
    const Index above = taskStart_[tasks()], end = taskStart_[tasks() + 1];
    for (Index level = 0; level < levels(); ++level) forTasks(level, allDown);
    allDown(above, end, pool);
    allUp(above, end, pool);
    for (Index level = levels() - 1; level >= 0; --level) forTasks(level, allUp);
}

void Multifrontal::solve(const double* factor, const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool,
                         bool ordered) const {
    solveWith(factor, b, x, pool, ordered);
}

void Multifrontal::solve(const float* factor, const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool,
                         bool ordered) const {
    solveWith(factor, b, x, pool, ordered);
}

}  // namespace clothlab::factors
