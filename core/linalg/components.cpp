#include "linalg/components.hpp"

#include <algorithm>
#include <numeric>

namespace clothlab::linalg {
namespace {

/// Parents never have a larger number than their children, so that a root is the first particle of its set.
Index findRoot(std::vector<Index>& parent, Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

void unite(std::vector<Index>& parent, Index i, Index j) {
    const Index a = findRoot(parent, i), b = findRoot(parent, j);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/// The edges of the graph.
struct Edges {
    const BlockMatrix& A;
    std::span<const std::uint8_t> ndof;
    const CutRule& cut;

    /// The rows from begin to end, each with the first two later ones among them that it touches: touches no other
    /// parent. In a cloth that holds together that is a component of nearly all of them, from a fifth of the edges.
    void linkWithin(std::vector<Index>& parent, Index begin, Index end) const {
        for (Index i = begin; i < end; ++i) {
            int links = 0;
            forRow(i, A.pattern().diagonal[i] + 1, end, [&](Index j) {
                unite(parent, i, j);
                return ++links < 2;
            });
        }
    }
    /// The same for what leads from there to later rows.
    void linkAcross(std::vector<Index>& parent, Index begin, Index end) const {
        const BlockPattern& p = A.pattern();
        for (Index i = begin; i < end; ++i) {
            const auto last = p.column.begin() + p.rowStart[i + 1];
            if (*(last - 1) < end) continue;
            int links = 0;
            const auto first = std::lower_bound(p.column.begin() + p.rowStart[i], last, end) - p.column.begin();
            forRow(i, Index(first), p.rows, [&](Index j) {
                unite(parent, i, j);
                return ++links < 2;
            });
        }
    }
    /// All edges of a row.
    void uniteRow(std::vector<Index>& parent, Index i) const {
        forRow(i, A.pattern().rowStart[i], A.pattern().rows, [&](Index j) {
            if (parent[i] != parent[j]) unite(parent, i, j);
            return true;
        });
    }

private:
    /// f(other end) over the edges of row i from position k to column endColumn, until it says no.
    template <class F>
    void forRow(Index i, Index k, Index endColumn, F&& f) const {
        if (ndof[i] == 0) return;
        const Index* column = A.pattern().column.data();
        const std::uint8_t* occupied = A.occupiedData();
        for (const Index end = A.pattern().rowStart[i + 1]; k < end && column[k] < endColumn; ++k) {
            const Index j = column[k];
            // One branch: which blocks are occupied is hard to guess.
            const bool edge = bool(occupied[k] & (ndof[j] != 0) & (j != i));
            if (!edge || (cut.on() && cut.cuts(i, j))) continue;
            if (!f(j)) return;
        }
    }
};

/// The set of the most rows, of a few that are looked at; -1 if all of these are held.
Index commonRoot(std::vector<Index>& parent, std::span<const std::uint8_t> ndof) {
    constexpr std::size_t kLookedAt = 64;
    std::vector<Index> roots;
    for (std::size_t s = 0; s < kLookedAt; ++s)
        if (const std::size_t i = s * parent.size() / kLookedAt; ndof[i] != 0)
            roots.push_back(findRoot(parent, Index(i)));
    std::sort(roots.begin(), roots.end());
    Index best = -1;
    std::ptrdiff_t most = 0;
    for (auto run = roots.begin(); run != roots.end();) {
        const auto end = std::upper_bound(run, roots.end(), *run);
        if (end - run > most) {
            most = end - run;
            best = *run;
        }
        run = end;
    }
    return best;
}

/// Components of the sets in out.of, which holds a parent per particle.
void numberSets(std::span<const std::uint8_t> ndof, Components& out) {
    const auto n = Index(ndof.size());
    // Ascending: whoever is not a root has a parent that has been numbered already.
    out.start.assign(1, 0);
    for (Index i = 0; i < n; ++i) {
        const Index parent = out.of[i];
        if (ndof[i] == 0) {
            out.of[i] = 0;
        } else if (parent == i) {
            out.start.push_back(1);
            out.of[i] = out.count();
        } else {
            out.of[i] = out.of[parent];
            ++out.start[out.of[i]];
        }
    }
    for (Index c = 1; c <= out.count(); ++c) out.start[c] += out.start[c - 1];
    out.rows.resize(out.start.back());
    std::vector<Index> cursor(out.start.begin(), out.start.end());
    for (Index i = 0; i < n; ++i)
        if (out.of[i] > 0) out.rows[cursor[out.of[i] - 1]++] = i;
}

}  // namespace

Index Components::largest() const {
    Index best = 0;
    for (Index c = 1; c <= count(); ++c)
        if (best == 0 || size(c) > size(best)) best = c;
    return best;
}

void findComponents(const BlockMatrix& A, const DofConstraints& constraints, Components& out, WorkerPool& pool,
                    const CutRule& cut) {
    const Index n = A.rows();
    out.of.resize(n);
    std::iota(out.of.begin(), out.of.end(), 0);
    const Index ranges = n < pool.inlineRows() ? 1 : Index(pool.threads());
    const auto rangeStart = [&](Index r) { return Index(std::int64_t(n) * r / ranges); };
    const Edges edges{A, constraints.ndofs(), cut};
    pool.forChunks(ranges, n, [&](Index r) { edges.linkWithin(out.of, rangeStart(r), rangeStart(r + 1)); });
    for (Index r = 0; r + 1 < ranges; ++r) edges.linkAcross(out.of, rangeStart(r), rangeStart(r + 1));
    // An edge is in the rows of both of its ends: those within the common set need not be looked at, and whatever else
    // they lead to is looked at from there.
    Index common = n > 0 ? commonRoot(out.of, constraints.ndofs()) : -1;
    for (Index i = 0; i < n; ++i) {
        if (findRoot(out.of, i) == common) continue;
        edges.uniteRow(out.of, i);
        if (common >= 0) common = findRoot(out.of, common);
    }
    numberSets(constraints.ndofs(), out);
}

void findComponents(const BlockMatrix& A, const DofConstraints& constraints, Components& out, const CutRule& cut) {
    WorkerPool alone(1);
    findComponents(A, constraints, out, alone, cut);
}

void separateParticles(std::span<const std::uint8_t> ndof, Components& out) {
    out.of.resize(ndof.size());
    std::iota(out.of.begin(), out.of.end(), 0);
    numberSets(ndof, out);
}

}  // namespace clothlab::linalg
