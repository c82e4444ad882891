#include <algorithm>
#include <cassert>

#include "base/simd_floats.hpp"
#include "factors/panel_shape.hpp"
#include "factors/triangle_panels.hpp"

namespace clothlab::factors {
namespace {

using simd::Float8;

constexpr Index kRun[kLanes] = {0, 4, 8, 12, 16, 20, 24, 28};

/// sum = a panel times the right-hand sides, rows of four floats. Short panels go several columns at a time, or each
/// sum would wait for the one before.
template <int kBlocks>
void multiply(const float* p, Index columns, const float* rhs, Float8 (&sum)[kBlocks][3]) {
    constexpr int kTogether = kBlocks == 1 ? 4 : kBlocks == 2 ? 2 : 1;
    Float8 part[kTogether][kBlocks][3];
    for (auto& ofColumn : part)
        for (auto& ofBlock : ofColumn)
            for (Float8& each : ofBlock) each = Float8::zero();
    const auto add = [&](Float8(&to)[kBlocks][3]) {
        Float8 y[3];
        for (int k = 0; k < 3; ++k) y[k] = Float8::of(rhs + k);
        for (int r = 0; r < kBlocks; ++r) {
            const Float8 l = Float8::load(p + std::size_t(kLanes) * r);
            for (int k = 0; k < 3; ++k) to[r][k] = multiplyAdd(l, y[k], to[r][k]);
        }
        p += std::size_t(kLanes) * kBlocks;
        rhs += 4;
    };
    Index c = 0;
    for (; c + kTogether <= columns; c += kTogether)
        for (int t = 0; t < kTogether; ++t) add(part[t]);
    for (; c < columns; ++c) add(part[0]);
    for (int r = 0; r < kBlocks; ++r)
        for (int k = 0; k < 3; ++k) {
            sum[r][k] = part[0][r][k];
            for (int t = 1; t < kTogether; ++t) sum[r][k] = sum[r][k] + part[t][r][k];
        }
}

/// sum += a column times x, lane by lane.
template <int kBlocks>
void addColumn(const float* column, const Float8 (&x)[kBlocks][3], Float8 (&sum)[3]) {
    for (int r = 0; r < kBlocks; ++r) {
        const Float8 l = Float8::load(column + std::size_t(kLanes) * r);
        for (int k = 0; k < 3; ++k) sum[k] = multiplyAdd(l, x[r][k], sum[k]);
    }
}

/// The sums of a column so far. None has any from `known` on.
inline void load(const float* sums, Index column, Index known, Float8 (&sum)[3]) {
    for (int k = 0; k < 3; ++k)
        sum[k] =
            column < known ? Float8::load(sums + 24 * std::size_t(column) + std::size_t(kLanes) * k) : Float8::zero();
}

/// sums += a panel transposed times x, lane by lane; `end` is behind the panel.
template <int kBlocks>
void multiplyTransposed(const float* end, Index columns, Index known, const Float8 (&x)[kBlocks][3], float* sums) {
    const float* p = end;
    for (Index c = columns; c-- > 0;) {
        p -= std::size_t(kLanes) * kBlocks;
        Float8 sum[3];
        load(sums, c, known, sum);
        addColumn<kBlocks>(p, x, sum);
        for (int k = 0; k < 3; ++k) sum[k].store(sums + 24 * std::size_t(c) + std::size_t(kLanes) * k);
    }
}

/// The same for the last panel of a node, and each column's lanes added up: rows of four floats.
template <int kBlocks>
void finishTransposed(const float* end, Index columns, Index known, const Float8 (&x)[kBlocks][3], const float* sums,
                      float* rows) {
    constexpr std::size_t kStep = std::size_t(kLanes) * kBlocks;
    const float* p = end;
    Index c = columns;
    if (c % 2 != 0) {
        Float8 sum[3];
        load(sums, --c, known, sum);
        addColumn<kBlocks>(p -= kStep, x, sum);
        simd::storeSums(sum, rows + 4 * std::size_t(c));
    }
    while (c > 0) {
        c -= 2;
        p -= 2 * kStep;
        Float8 sum[2][3];
        load(sums, c + 1, known, sum[1]);
        addColumn<kBlocks>(p + kStep, x, sum[1]);
        load(sums, c, known, sum[0]);
        addColumn<kBlocks>(p, x, sum[0]);
        simd::storeSums(sum[0], sum[1], rows + 4 * std::size_t(c));
    }
}

}  // namespace

/// Particles lie in memory as the mesh has them, columns as they are eliminated: one of the two is jumped about in. For
/// a whole task at once, asked for ahead: the particles of a subtree are neighbours, so that each cache line comes
/// once, and no panel waits for it.
void TrianglePanels::take(const Task& task, const linalg::BlockVector& b) const {
    for (const auto& [begin, end] : task.columns)
        for (Index c = begin; c < end; ++c) {
            simd::prefetchForRead(b.data() + source_[c + kAhead]);
            simd::Double4::load(b.data() + source_[c]).store(taken_.data() + 4 * std::size_t(c));
        }
}

void TrianglePanels::give(const Task& task, linalg::BlockVector& x) const {
    for (const auto& [begin, end] : task.columns)
        for (Index c = begin; c < end; ++c) {
            simd::prefetchForWrite(x.data() + source_[c + kAhead]);
            simd::Double4::load(vectors_.data() + 4 * std::size_t(c)).store3(x.data() + source_[c]);
        }
}

void TrianglePanels::forward(const Node& node) const {
    const Index n = node.columns, ownBlocks = node.ownBlocks();
    float* own = vectors_.data() + 4 * std::size_t(node.firstColumn);
    const float* p = values_.data() + node.values;
    const Index* places = places_.data() + node.places;
    // What comes from below was added first: columns are zero before the solve, and again when it is done.
    const float* taken = taken_.data() + 4 * std::size_t(node.firstColumn);
    for (Index c = 0; c < n; ++c) simd::addRow(taken + 4 * std::size_t(c), own + 4 * std::size_t(c));
    // From the bottom up: the columns that a panel sets are right-hand sides of those below.
    upPanels(n, node.blocks(), [&](Index first, auto blocks, Index inside) {
        Float8 sum[blocks][3];
        multiply<blocks>(p, inside, own, sum);
        p += std::size_t(kLanes * blocks) * inside;
        for (Index r = 0; r < blocks; ++r) {
            const Index block = first + r, r0 = kLanes * block;
            if (block < ownBlocks) {
                storeRows(sum[r], own + 4 * std::size_t(r0));
                continue;
            }
            const Index* place = places + std::size_t(kLanes) * (block - ownBlocks);
            if (r0 >= n) {
                addRows(sum[r], vectors_.data(), place);
                continue;
            }
            float rows[4 * kLanes];
            storeRows(sum[r], rows);
            for (Index k = 0; k < kLanes; ++k)
                if (r0 + k < n)
                    std::copy_n(rows + 4 * std::size_t(k), 4, own + 4 * std::size_t(r0 + k));
                else
                    simd::addRow(rows + 4 * std::size_t(k), vectors_.data() + place[k]);
        }
    });
}

void TrianglePanels::backward(const Node& node, float* sums) const {
    const Index n = node.columns, ownBlocks = node.ownBlocks();
    float* own = vectors_.data() + 4 * std::size_t(node.firstColumn);
    const float* end = values_.data() + node.values + panelSize(n, node.rows);
    const Index* places = places_.data() + node.places;
    Index known = 0;
    downPanels(n, node.blocks(), [&](Index first, auto blocks, Index inside) {
        Float8 x[blocks][3];
        for (Index r = 0; r < blocks; ++r) {
            const Index block = first + r;
            if (block < ownBlocks)
                gatherRows(own + 4 * std::size_t(kLanes * block), kRun, x[r]);
            else
                gatherRows(vectors_.data(), places + std::size_t(kLanes) * (block - ownBlocks), x[r]);
        }
        if (first + blocks == node.blocks())
            finishTransposed<blocks>(end, inside, known, x, sums, own);
        else
            multiplyTransposed<blocks>(end, inside, known, x, sums);
        end -= std::size_t(kLanes * blocks) * inside;
        known = inside;
    });
}

template <class F>
void TrianglePanels::forTasks(std::size_t level, WorkerPool& pool, F&& f) const {
    const Index first = levelStart_[level];
    pool.forChunks(levelStart_[level + 1] - first, Index(order_.size()),
                   [&](Index t) { f(tasks_[first + t], local_.data() + localSize_ * std::size_t(first + t)); });
}

void TrianglePanels::solve(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) const {
    assert(b.size() == Index(order_.size()));
    if (x.size() != b.size()) x.resize(b.size());
    const std::size_t levels = levelStart_.size() - 1;
    float* v = vectors_.data();
    for (std::size_t level = 0; level < levels; ++level) {
        forTasks(level, pool, [&](const Task& task, float*) {
            std::fill_n(v + 4 * std::size_t(task.buffer), 4 * (task.above.size() + 1), 0.0f);
            take(task, b);
            for (const Index s : task.nodes) forward(nodes_[s]);
        });
        for (Index t = levelStart_[level]; t < levelStart_[level + 1]; ++t) {
            const float* sum = v + 4 * std::size_t(tasks_[t].buffer);
            for (const Index column : tasks_[t].above) {
                simd::addRow(sum, v + 4 * std::size_t(column));
                sum += 4;
            }
        }
    }
    for (std::size_t level = levels; level-- > 0;)
        forTasks(level, pool, [&](const Task& task, float* local) {
            float* known = v + 4 * std::size_t(task.buffer);
            for (const Index column : task.above) {
                std::copy_n(v + 4 * std::size_t(column), 4, known);
                known += 4;
            }
            for (auto s = task.nodes.rbegin(); s != task.nodes.rend(); ++s) backward(nodes_[*s], local);
            give(task, x);
        });
    std::fill_n(v, 4 * order_.size(), 0.0f);
}

}  // namespace clothlab::factors
