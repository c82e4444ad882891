#include "factors/multifrontal.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "factors/dense_kernels.hpp"

namespace clothlab::factors {

void Multifrontal::analyze(const BlockSupernodes& nodes, const linalg::BlockPattern& pattern) {
    const Index count = nodes.count();
    fronts_.assign(std::size_t(count), {});
    std::vector<Index> childCount(std::size_t(count), 0);
    std::size_t values = 0;
    for (Index s = 0; s < count; ++s) {
        Front& front = fronts_[s];
        front.firstColumn = 3 * nodes.firstColumn[s];
        front.columns = 3 * nodes.firstColumn[s + 1] - front.firstColumn;
        front.rows = 3 * Index(nodes.rowsIn(s).size());
        front.values = values;
        values += std::size_t(front.rows) * front.columns;
        front.parent = nodes.parent[s];
        if (front.parent < 0) continue;
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
    particles_ = nodes.order;
    mapRows(nodes);
    mapEntries(nodes, pattern);
    prepareSolve();
    scheduledThreads_ = 0;
}

/// Where each row of an update matrix lies in the parent's front, as runs: most of a child's rows are neighbours in its
/// parent, so that extend-add is a handful of dense loops.
void Multifrontal::mapRows(const BlockSupernodes& nodes) {
    runs_.clear();
    for (Front& front : fronts_) {
        front.firstRun = front.endRun = Index(runs_.size());
        if (front.parent < 0) continue;
        const Front& parent = fronts_[front.parent];
        const std::span<const Index> own = nodes.rowsIn(Index(&front - fronts_.data())).subspan(front.columns / 3);
        const std::span<const Index> other = nodes.rowsIn(front.parent);
        std::size_t place = 0;
        for (std::size_t r = 0; r < own.size(); ++r) {
            while (other[place] != own[r]) ++place;
            const auto at = Index(3 * place);
            assert(at < parent.rows);
            const bool joins = front.endRun > front.firstRun && at != parent.columns &&
                               runs_.back().parent + runs_.back().length == at;
            if (joins) {
                runs_.back().length += 3;
            } else {
                runs_.push_back({Index(3 * r), at, 3});
                ++front.endRun;
            }
        }
    }
}

/// The lower half of the pattern, block by block into the columns of the factor.
void Multifrontal::mapEntries(const BlockSupernodes& nodes, const linalg::BlockPattern& pattern) {
    std::vector<Index> place(nodes.order.size());
    for (std::size_t k = 0; k < place.size(); ++k) place[nodes.order[k]] = Index(k);
    const auto forLower = [&](auto f) {  // f(block, its row, its column)
        for (Index i = 0; i < pattern.rows; ++i)
            for (Index k = pattern.rowStart[i]; k <= pattern.diagonal[i]; ++k) f(k, place[i], place[pattern.column[k]]);
    };
    std::vector<std::size_t> next(place.size() + 1, 0);
    forLower([&](Index, Index row, Index column) { ++next[std::size_t(std::min(row, column)) + 1]; });
    std::partial_sum(next.begin(), next.end(), next.begin());
    const std::vector<std::size_t> columnStart = next;
    entries_.resize(columnStart.back());
    forLower([&](Index k, Index row, Index column) {  // the offset is the row for now
        entries_[next[std::min(row, column)]++] = {k, row < column ? 1u : 0u, std::size_t(std::max(row, column))};
    });
    std::vector<Index> inFront(place.size());
    for (std::size_t s = 0; s < fronts_.size(); ++s) {
        Front& front = fronts_[s];
        const std::span<const Index> rows = nodes.rowsIn(Index(s));
        for (std::size_t r = 0; r < rows.size(); ++r) inFront[rows[r]] = Index(3 * r);
        front.firstEntry = columnStart[nodes.firstColumn[s]];
        front.endEntry = columnStart[nodes.firstColumn[s + 1]];
        for (Index c = 0; c < front.columns; c += 3)
            for (std::size_t e = columnStart[(front.firstColumn + c) / 3];
                 e < columnStart[(front.firstColumn + c) / 3 + 1]; ++e)
                entries_[e].offset =
                    front.values + std::size_t(c) * front.rows + std::size_t(inFront[entries_[e].offset]);
    }
}

template <class F>
Index Multifrontal::overTree(Index rows, WorkerPool& pool, F&& eliminateFront) {
    schedule(pool.threads());
    const auto runTask = [&](Index task, WorkerPool& tiles) -> Index {
        for (Index k = taskStart_[task]; k < taskStart_[task + 1]; ++k)
            if (const Index bad = eliminateFront(order_[k], task, tiles); bad >= 0) return bad;
        return -1;
    };
    for (Index level = 0; level < levels(); ++level)
        pool.forChunks(levelStart_[level + 1] - levelStart_[level], rows, [&](Index t) {
            WorkerPool alone;  // a pool belongs to one thread: within a task tiles run one after another
            const Index task = levelStart_[level] + t;
            failed_[task] = runTask(task, alone);
        });
    // A front above one that failed may fail too, but at a later column. The first is the same for all threads.
    Index bad = runTask(tasks(), pool);
    for (const Index column : failed_)
        if (column >= 0 && (bad < 0 || column < bad)) bad = column;
    return bad;
}

template <class T>
Index Multifrontal::factorizeIn(const linalg::BlockMatrix& A, T* factor, std::vector<T>& arena, WorkerPool& pool) {
    schedule(pool.threads());
    arena.resize(arenaSize_);
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
    arena_.resize(arenaSize_);
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

    const bool cut = tiles.threads() > 1 && n >= kTile;
    int bad = -1;
    if (cut)
        bad = choleskyOfColumns(n, ld, l11, ld, tiles);
    else if (bad = cholesky(n, l11, ld); bad < 0 && m > 0)
        tiles.forChunks((m + kTile - 1) / kTile, tiles.inlineRows(), [&](Index t) {
            solveTransposed(std::min(kTile, m - t * kTile), n, l11, l11 + n + t * kTile, ld);
        });
    if (bad >= 0) return front.firstColumn + bad;
    for (int c = 0; c < n; ++c) inverseDiagonal_[front.firstColumn + c] = 1 / double(l11[std::size_t(c) * (ld + 1)]);
    if (m > 0) makeUpdate(front, l11 + n, arena, tiles);
    return -1;
}

/// U = -L21 L21^T and what the children add: tiles of the lower triangle, then strips of its columns.
template <class T>
void Multifrontal::makeUpdate(const Front& front, const T* l21, T* arena, WorkerPool& tiles) const {
    const int m = front.below(), ld = front.rows;
    T* below = arena + front.update;
    const int strips = (m + kTile - 1) / kTile;
    const auto tile = [&](int row, int column, int rows) {
        update<T>({.rows = rows,
                   .columns = std::min(kTile, m - column),
                   .depth = front.columns,
                   .a = l21 + row,
                   .b = l21 + column,
                   .c = below + std::size_t(column) * m + row,
                   .ldA = ld,
                   .ldB = ld,
                   .ldC = m,
                   .adds = false,
                   .lowerOnly = row == column});
    };
    if (tiles.threads() > 1) {
        tiles.forChunks(strips * (strips + 1) / 2, tiles.inlineRows(), [&](Index t) {
            int column = 0;
            for (int tilesInColumn = strips; t >= tilesInColumn; --tilesInColumn, ++column) t -= tilesInColumn;
            const int row = (column + int(t)) * kTile;
            tile(row, column * kTile, std::min(kTile, m - row));
        });
    } else {
        for (int first = 0; first < m; first += kTile) tile(first, first, m - first);
    }
    tiles.forChunks(strips, tiles.inlineRows(), [&](Index t) {
        const Index first = front.columns + t * kTile, end = std::min<Index>(first + kTile, front.rows);
        for (Index c = front.firstChild; c < front.endChild; ++c)
            addToUpdate(fronts_[children_[c]], front, arena, first, end);
    });
}

namespace {

/// The lower triangle of `from`, of which `columns` rows of run `a` from its row `first` on are the columns, added into
/// the columns of `to`. The runs up to `end` have the rows below.
template <class T>
struct Panel {
    T* values;
    Index leading;       ///< values from one column to the next
    Index firstRow = 0;  ///< of the front, that it begins with
};
template <class Run, class T>
void addColumns(const Run* a, const Run* end, Index first, Index columns, Panel<const T> from, Panel<T> to) {
    for (Index t = 0; t < columns; ++t) {
        const T* source = from.values + std::size_t(a->child + first + t) * from.leading;
        T* target = to.values + std::size_t(t) * to.leading;
        Index skip = first + t;
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
        addColumns(a, end, 0, a->length, Panel<const T>{arena + child.update, child.below()},
                   Panel<T>{l11 + std::size_t(a->parent) * parent.rows, parent.rows});
}

/// Into the columns of the update matrix that are the rows firstRow .. endRow-1 of the parent's front.
template <class T>
void Multifrontal::addToUpdate(const Front& child, const Front& parent, T* arena, Index firstRow, Index endRow) const {
    const Run* const end = runs_.data() + child.endRun;
    const Run* a = std::lower_bound(runs_.data() + child.firstRun, end, firstRow,
                                    [](const Run& run, Index row) { return run.parent + run.length <= row; });
    for (; a != end && a->parent < endRow; ++a) {
        const Index skip = std::max<Index>(0, firstRow - a->parent);
        const Index columns = std::min(a->length, endRow - a->parent) - skip;
        const Index first = a->parent + skip;
        addColumns(a, end, skip, columns, Panel<const T>{arena + child.update, child.below()},
                   Panel<T>{arena + parent.update + std::size_t(first - parent.columns) * parent.below(),
                            parent.below(), parent.columns});
    }
}

}  // namespace clothlab::factors
