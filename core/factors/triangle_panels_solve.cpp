#include <algorithm>
#include <cassert>

#include "base/simd.hpp"
#include "factors/panel_shape.hpp"
#include "factors/triangle_panels.hpp"

namespace clothlab::factors {
namespace {

using simd::Float8;

constexpr Index kRun[kLanes] = {0, 1, 2, 3, 4, 5, 6, 7};

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
            const Float8 l = Float8::load(p + kLanes * r);
            for (int k = 0; k < 3; ++k) to[r][k] = multiplyAdd(l, y[k], to[r][k]);
        }
        p += kLanes * kBlocks;
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

/// sums += a panel transposed times x, lane by lane; `end` is behind the panel.
template <int kBlocks>
void multiplyTransposed(const float* end, Index columns, const Float8 (&x)[kBlocks][3], float* sums) {
    const float* p = end;
    for (Index c = columns; c-- > 0;) {
        p -= kLanes * kBlocks;
        float* to = sums + 24 * std::size_t(c);
        Float8 sum[3];
        for (int k = 0; k < 3; ++k) sum[k] = Float8::load(to + kLanes * k);
        for (int r = 0; r < kBlocks; ++r) {
            const Float8 l = Float8::load(p + kLanes * r);
            for (int k = 0; k < 3; ++k) sum[k] = multiplyAdd(l, x[r][k], sum[k]);
        }
        for (int k = 0; k < 3; ++k) sum[k].store(to + kLanes * k);
    }
}

}  // namespace

/// Adds b to what the columns of a node have been given from below. They were zero before the solve, and are again when
/// it is done: so neither pass over the particles stands alone, waiting for memory.
void TrianglePanels::take(const Node& node, const linalg::BlockVector& b) const {
    float* to = vectors_.data() + 4 * std::size_t(node.firstColumn);
    for (Index c = 0; c < node.columns; ++c, to += 4)
        simd::addRow(b.data() + 3 * std::size_t(order_[node.firstColumn + c]), to);
}

void TrianglePanels::give(const Node& node, linalg::BlockVector& x) const {
    const float* from = vectors_.data() + 4 * std::size_t(node.firstColumn);
    for (Index c = 0; c < node.columns; ++c, from += 4)
        simd::Double4::load(from).store3(x.data() + 3 * std::size_t(order_[node.firstColumn + c]));
}

void TrianglePanels::forward(const Node& node) const {
    const Index n = node.columns, ownBlocks = node.ownBlocks();
    float* own = vectors_.data() + 4 * std::size_t(node.firstColumn);
    const float* p = values_.data() + node.values;
    const Index* places = places_.data() + node.places;
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
            float rows[4 * kLanes];
            storeRows(sum[r], rows);
            const Index* place = places + kLanes * (block - ownBlocks);
            const Index end = std::min(kLanes, node.rows - r0);
            Index k = 0;
            for (; r0 + k < n; ++k) std::copy_n(rows + 4 * k, 4, own + 4 * std::size_t(r0 + k));
            for (; k < end; ++k) simd::addRow(rows + 4 * k, vectors_.data() + 4 * std::size_t(place[k]));
        }
    });
}

void TrianglePanels::backward(const Node& node, float* sums) const {
    const Index n = node.columns, ownBlocks = node.ownBlocks();
    float* own = vectors_.data() + 4 * std::size_t(node.firstColumn);
    const float* end = values_.data() + node.values + panelSize(n, node.rows);
    const Index* places = places_.data() + node.places;
    std::fill_n(sums, 24 * std::size_t(n), 0.0f);
    downPanels(n, node.blocks(), [&](Index first, auto blocks, Index inside) {
        Float8 x[blocks][3];
        for (Index r = 0; r < blocks; ++r) {
            const Index block = first + r;
            if (block < ownBlocks)
                gatherRows(own + 4 * std::size_t(kLanes * block), kRun, x[r]);
            else
                gatherRows(vectors_.data(), places + kLanes * (block - ownBlocks), x[r]);
        }
        multiplyTransposed<blocks>(end, inside, x, sums);
        end -= std::size_t(kLanes * blocks) * inside;
    });
    Index c = 0;
    for (; c + 4 <= n; c += 4) simd::storeSums(sums + 24 * std::size_t(c), own + 4 * std::size_t(c));
    if (c == n) return;
    float rest[16];
    simd::storeSums(sums + 24 * std::size_t(c), rest);
    std::copy_n(rest, 4 * (n - c), own + 4 * std::size_t(c));
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
            std::fill_n(v + 4 * std::size_t(task.buffer), 4 * task.above.size(), 0.0f);
            for (const Index s : task.nodes) {
                take(nodes_[s], b);
                forward(nodes_[s]);
            }
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
            for (auto s = task.nodes.rbegin(); s != task.nodes.rend(); ++s) {
                backward(nodes_[*s], local);
                give(nodes_[*s], x);
            }
        });
    std::fill_n(v, 4 * order_.size(), 0.0f);
}

}  // namespace clothlab::factors
