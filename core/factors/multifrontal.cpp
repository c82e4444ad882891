#include "factors/multifrontal.hpp"

#include <algorithm>
#include <cassert>
#include <queue>

#include "factors/dense_kernels.hpp"

namespace clothlab::factors {
namespace {

constexpr Index kTile = 96;  ///< rows or columns of a front that one thread takes at a time

/// Flops of a front, to the leading order: Cholesky of F11, the triangular solve and the update.
double work(double columns, double below) {
    return columns * (columns * columns / 3 + columns * below + below * below);
}

}  // namespace

void Multifrontal::analyze(const Symbolic& symbolic, std::span<const int> permutation,
                           const linalg::BlockPattern& pattern) {
    const auto count = Index(symbolic.columns.size()) - 1;
    fronts_.assign(count, {});
    std::vector<Index> owner(permutation.size());
    for (Index s = 0; s < count; ++s) {
        Front& front = fronts_[s];
        front.firstColumn = symbolic.columns[s];
        front.columns = symbolic.columns[s + 1] - symbolic.columns[s];
        front.rows = symbolic.rowStart[s + 1] - symbolic.rowStart[s];
        front.values = std::size_t(symbolic.valueStart[s]);
        std::fill_n(owner.begin() + front.firstColumn, front.columns, s);
    }
    std::vector<Index> childCount(std::size_t(count) + 1, 0);
    for (Index s = 0; s < count; ++s) {
        Front& front = fronts_[s];
        front.subtreeWork += work(front.columns, front.below());
        if (front.below() == 0) continue;
        front.parent = owner[symbolic.row[symbolic.rowStart[s] + front.columns]];
        fronts_[front.parent].subtreeWork += front.subtreeWork;
        ++childCount[front.parent];
    }
    Index start = 0;
    for (Index s = 0; s < count; ++s) {
        fronts_[s].firstChild = fronts_[s].endChild = start;
        start += childCount[s];
    }
    children_.resize(start);
    for (Index s = 0; s < count; ++s)
        if (fronts_[s].parent >= 0) children_[fronts_[fronts_[s].parent].endChild++] = s;
    mapRows(symbolic);
    mapEntries(symbolic, permutation, pattern);
    prepareSolve(permutation);
    scheduledThreads_ = 0;
}

/// Where each row of an update matrix lies in the parent's front, as runs: rows come in threes at least, and most of a
/// child's rows are neighbours in its parent, so that extend-add is a handful of dense loops.
void Multifrontal::mapRows(const Symbolic& symbolic) {
    runs_.clear();
    for (Front& front : fronts_) {
        front.firstRun = front.endRun = Index(runs_.size());
        if (front.parent < 0) continue;
        const Front& parent = fronts_[front.parent];
        const auto s = std::size_t(&front - fronts_.data());
        const int* own = symbolic.row.data() + symbolic.rowStart[s] + front.columns;
        const int* other = symbolic.row.data() + symbolic.rowStart[front.parent];
        Index at = 0;
        for (Index r = 0; r < front.below(); ++r) {
            while (other[at] != own[r]) ++at;
            assert(at < parent.rows);
            const bool joins = front.endRun > front.firstRun && at != parent.columns &&
                               runs_.back().parent + runs_.back().length == at;
            if (joins) {
                ++runs_.back().length;
            } else {
                runs_.push_back({r, at, 1});
                ++front.endRun;
            }
        }
    }
}

void Multifrontal::mapEntries(const Symbolic& symbolic, std::span<const int> permutation,
                              const linalg::BlockPattern& pattern) {
    const Index particles = pattern.rows;
    std::vector<Index> place(particles);  // particle -> its first row in the new order
    for (Index k = 0; k < 3 * particles; k += 3) {
        assert(permutation[k] % 3 == 0 && permutation[k + 2] == permutation[k] + 2);
        place[permutation[k] / 3] = k;
    }
    std::vector<std::vector<Entry>> ofColumn(particles);  // by place / 3; offset = row for now
    for (Index i = 0; i < particles; ++i)
        for (Index k = pattern.rowStart[i]; k <= pattern.diagonal[i]; ++k) {
            const Index row = place[i], column = place[pattern.column[k]];
            const bool transposed = row < column;
            ofColumn[std::min(row, column) / 3].push_back(
                {k, transposed ? 1u : 0u, std::size_t(std::max(row, column))});
        }
    entries_.clear();
    for (std::size_t s = 0; s < fronts_.size(); ++s) {
        Front& front = fronts_[s];
        const int* rows = symbolic.row.data() + symbolic.rowStart[s];
        front.firstEntry = entries_.size();
        for (Index c = 0; c < front.columns; c += 3) {
            auto& list = ofColumn[(front.firstColumn + c) / 3];
            for (Entry& e : list) {
                const int* found = std::lower_bound(rows, rows + front.rows, int(e.offset));
                assert(found != rows + front.rows && *found == int(e.offset));
                e.offset = front.values + std::size_t(c) * front.rows + std::size_t(found - rows);
            }
            entries_.insert(entries_.end(), list.begin(), list.end());
        }
        front.endEntry = entries_.size();
    }
}

/// Cuts the elimination tree: subtrees of at most a quarter of a thread's share are tasks, the rest lies above them.
void Multifrontal::schedule(int threads) {
    if (threads == scheduledThreads_) return;
    scheduledThreads_ = threads;
    const auto count = Index(fronts_.size());
    const auto lighter = [this](Index a, Index b) { return fronts_[a].subtreeWork < fronts_[b].subtreeWork; };
    std::priority_queue<Index, std::vector<Index>, decltype(lighter)> heap(lighter);
    double total = 0;
    for (Index s = 0; s < count; ++s)
        if (fronts_[s].parent < 0) {
            heap.push(s);
            total += fronts_[s].subtreeWork;
        }
    constexpr Index kAbove = -1;
    std::vector<Index> task(count, kAbove);
    const double share = threads == 1 ? total : total / (4.0 * threads);
    while (!heap.empty() && fronts_[heap.top()].subtreeWork > share) {
        const Front& front = fronts_[heap.top()];
        heap.pop();
        for (Index c = front.firstChild; c < front.endChild; ++c) heap.push(children_[c]);
    }
    Index tasks = 0;
    for (; !heap.empty(); heap.pop()) task[heap.top()] = tasks++;  // largest first
    for (Index s = count - 1; s >= 0; --s)
        if (task[s] == kAbove && fronts_[s].parent >= 0) task[s] = task[fronts_[s].parent];

    std::vector<std::vector<Index>> lists(std::size_t(tasks) + 1);
    for (Index s = 0; s < count; ++s) lists[task[s] == kAbove ? tasks : task[s]].push_back(s);
    order_.clear();
    taskStart_.assign(1, 0);
    std::size_t arena = 0;
    for (const auto& list : lists) {
        order_.insert(order_.end(), list.begin(), list.end());
        taskStart_.push_back(Index(order_.size()));
        arena = placeUpdates(list, arena);
    }
    arenaSize_ = arena;
    failed_.assign(tasks, -1);
}

/// First fit: an update matrix takes the lowest gap between those that still live. Returns the end of the region.
std::size_t Multifrontal::placeUpdates(std::span<const Index> nodes, std::size_t base) {
    std::vector<Index> live;  // by offset
    std::size_t end = base;
    for (const Index node : nodes) {
        Front& front = fronts_[node];
        const auto size = std::size_t(front.below()) * front.below();
        std::size_t offset = base;
        auto at = live.begin();
        for (; at != live.end() && fronts_[*at].update < offset + size; ++at)
            offset = fronts_[*at].update + std::size_t(fronts_[*at].below()) * fronts_[*at].below();
        front.update = offset;
        end = std::max(end, offset + size);
        live.insert(at, node);
        std::erase_if(live, [&](Index other) { return fronts_[other].parent == node || fronts_[other].below() == 0; });
    }
    return end;
}

template <class F>
Index Multifrontal::overTree(Index rows, WorkerPool& pool, F&& eliminateFront) {
    schedule(pool.threads());
    const auto tasks = Index(failed_.size());
    const auto runTask = [&](Index task, WorkerPool& tiles) -> Index {
        for (Index k = taskStart_[task]; k < taskStart_[task + 1]; ++k)
            if (const Index bad = eliminateFront(order_[k], task, tiles); bad >= 0) return bad;
        return -1;
    };
    pool.forChunks(tasks, rows, [&](Index task) {
        WorkerPool alone;  // a pool belongs to one thread: within a task tiles run one after another
        failed_[task] = runTask(task, alone);
    });
    Index bad = -1;
    for (const Index column : failed_)
        if (column >= 0 && (bad < 0 || column < bad)) bad = column;
    return bad >= 0 ? bad : runTask(tasks, pool);
}

template <class T>
Index Multifrontal::factorizeIn(const linalg::BlockMatrix& A, T* factor, std::vector<T>& arena, WorkerPool& pool) {
    schedule(pool.threads());
    if (arena.size() != arenaSize_) arena.assign(arenaSize_, T(0));
    return overTree(A.rows(), pool, [&](Index node, Index, WorkerPool& tiles) {
        return eliminate(node, A, factor + fronts_[node].values, arena.data(), tiles);
    });
}

Index Multifrontal::factorize(const linalg::BlockMatrix& A, double* factor, WorkerPool& pool) {
    return factorizeIn(A, factor, arena_, pool);
}

Index Multifrontal::factorize(const linalg::BlockMatrix& A, float* factor, WorkerPool& pool) {
    if (factorizeIn(A, factor, arenaSingle_, pool) < 0) return -1;
    // Single precision was not enough for this matrix; its rounded double factor may be.
    if (arena_.size() != arenaSize_) arena_.assign(arenaSize_, 0.0);
    scratch_.resize(largestFront_ * (failed_.size() + 1));
    return overTree(A.rows(), pool, [&](Index node, Index task, WorkerPool& tiles) {
        double* l11 = scratch_.data() + largestFront_ * std::size_t(task);
        const Front& front = fronts_[node];
        const Index bad = eliminate(node, A, l11, arena_.data(), tiles);
        std::copy_n(l11, std::size_t(front.rows) * front.columns, factor + front.values);
        return bad;
    });
}

/// `l11` has room for the front's columns.
template <class T>
Index Multifrontal::eliminate(Index node, const linalg::BlockMatrix& A, T* l11, T* arena, WorkerPool& tiles) {
    const Front& front = fronts_[node];
    const int n = front.columns, m = front.below(), ld = front.rows;
    std::fill_n(l11, std::size_t(ld) * n, T(0));
    for (std::size_t e = front.firstEntry; e < front.endEntry; ++e) {
        const Entry& entry = entries_[e];
        const double* block = A.blockData(entry.block);
        T* to = l11 + (entry.offset - front.values);
        for (int c = 0; c < 3; ++c, to += ld)
            for (int r = 0; r < 3; ++r) to[r] = T(entry.transposed ? block[3 * r + c] : block[3 * c + r]);
    }
    for (Index c = front.firstChild; c < front.endChild; ++c) addToColumns(fronts_[children_[c]], front, arena, l11);

    if (const int bad = cholesky(n, l11, ld); bad >= 0) return front.firstColumn + bad;
    for (int c = 0; c < n; ++c) inverseDiagonal_[front.firstColumn + c] = 1 / double(l11[std::size_t(c) * (ld + 1)]);
    if (m == 0) return -1;

    T* l21 = l11 + n;
    T* below = arena + front.update;
    const Index count = (m + kTile - 1) / kTile;
    tiles.forChunks(count, 1 << 20,
                    [&](Index t) { solveTransposed(std::min(kTile, m - t * kTile), n, l11, l21 + t * kTile, ld); });
    tiles.forChunks(count, 1 << 20, [&](Index t) {
        const int first = t * kTile;
        update<T>({.rows = m - first,
                   .columns = std::min(kTile, m - first),
                   .depth = n,
                   .a = l21 + first,
                   .b = l21 + first,
                   .c = below + std::size_t(first) * m + first,
                   .ldA = ld,
                   .ldB = ld,
                   .ldC = m,
                   .adds = false,
                   .lowerOnly = true});
    });
    for (Index c = front.firstChild; c < front.endChild; ++c) addToUpdate(fronts_[children_[c]], front, arena);
    return -1;
}

namespace {

/// The lower triangle of `from` (rows of run `a` as columns) added into the columns of `to`; the run list goes on to
/// `end` with the rows below.
template <class T>
struct Panel {
    T* values;
    Index leading;       ///< values from one column to the next
    Index firstRow = 0;  ///< of the front, that it begins with
};
template <class Run, class T>
void addColumns(const Run* a, const Run* end, Panel<const T> from, Panel<T> to) {
    for (Index t = 0; t < a->length; ++t) {
        const T* source = from.values + std::size_t(a->child + t) * from.leading;
        T* target = to.values + std::size_t(t) * to.leading;
        Index skip = t;
        for (const Run* b = a; b != end; ++b, skip = 0) {
            const T* s = source + b->child;
            T* d = target + (b->parent - to.firstRow);
            for (Index r = skip; r < b->length; ++r) d[r] += s[r];
        }
    }
}

}  // namespace

template <class T>
void Multifrontal::addToColumns(const Front& child, const Front& parent, const T* arena, T* l11) const {
    const Run* end = runs_.data() + child.endRun;
    for (const Run* a = runs_.data() + child.firstRun; a != end && a->parent < parent.columns; ++a)
        addColumns(a, end, Panel<const T>{arena + child.update, child.below()},
                   Panel<T>{l11 + std::size_t(a->parent) * parent.rows, parent.rows});
}

template <class T>
void Multifrontal::addToUpdate(const Front& child, const Front& parent, T* arena) const {
    const Run* end = runs_.data() + child.endRun;
    for (const Run* a = runs_.data() + child.firstRun; a != end; ++a)
        if (a->parent >= parent.columns)
            addColumns(a, end, Panel<const T>{arena + child.update, child.below()},
                       Panel<T>{arena + parent.update + std::size_t(a->parent - parent.columns) * parent.below(),
                                parent.below(), parent.columns});
}

}  // namespace clothlab::factors
