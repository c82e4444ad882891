#include "linalg/components.hpp"

#include <numeric>

namespace clothlab::linalg {
namespace {

/// Parents never have a larger number than their children, so that a root is the first particle of its set.
Index rootOf(std::vector<Index>& parent, Index i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

void unite(std::vector<Index>& parent, Index i, Index j) {
    const Index a = rootOf(parent, i), b = rootOf(parent, j);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/// The edges of the graph, of the pairs i < j.
struct Edges {
    const BlockMatrix& A;
    std::span<const std::uint8_t> ndof;
    const CutRule& cut;

    /// The rows from begin to end and what connects them among each other: touches no other parent.
    void uniteWithin(std::vector<Index>& parent, Index begin, Index end) const {
        for (Index i = begin; i < end; ++i)
            if (ndof[i] != 0) uniteRow(parent, i, A.pattern().diagonal[i] + 1, end);
    }
    /// What leads from there to later rows.
    void uniteAcross(std::vector<Index>& parent, Index begin, Index end) const {
        const BlockPattern& p = A.pattern();
        for (Index i = begin; i < end; ++i) {
            Index k = p.rowStart[i + 1];
            while (k > p.diagonal[i] + 1 && p.column[k - 1] >= end) --k;
            if (ndof[i] != 0) uniteRow(parent, i, k, p.rows);
        }
    }

private:
    void uniteRow(std::vector<Index>& parent, Index i, Index k, Index endColumn) const {
        const Index* column = A.pattern().column.data();
        const std::uint8_t* occupied = A.occupiedData();
        Index own = parent[i];
        for (const Index end = A.pattern().rowStart[i + 1]; k < end && column[k] < endColumn; ++k) {
            const Index j = column[k];
            // One branch, and most often not taken: in a cloth of one piece most pairs are united already, whereas which
            // blocks are occupied is hard to guess.
            const bool edge = bool(occupied[k] & (ndof[j] != 0) & (own != parent[j]));
            if (!edge || (cut.on() && cut.cuts(i, j))) continue;
            unite(parent, i, j);
            own = parent[i];
        }
    }
};

/// Components of the sets in out.of, which holds a parent per particle.
void numberSets(std::span<const std::uint8_t> ndof, Components& out) {
    const auto n = static_cast<Index>(ndof.size());
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
    out.rows.resize(static_cast<std::size_t>(out.start.back()));
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

void findComponents(const BlockMatrix& A, const DofConstraints& constraints, Components& out, WorkerPool& pool, const CutRule& cut) {
    const Index n = A.rows();
    out.of.resize(static_cast<std::size_t>(n));
    std::iota(out.of.begin(), out.of.end(), 0);
    const Index ranges = n < pool.inlineRows() ? 1 : static_cast<Index>(pool.threads());
    const auto startOf = [&](Index r) { return static_cast<Index>(static_cast<std::int64_t>(n) * r / ranges); };
    const Edges edges{A, constraints.ndofs(), cut};
    pool.forChunks(ranges, n, [&](Index r) { edges.uniteWithin(out.of, startOf(r), startOf(r + 1)); });
    for (Index r = 0; r + 1 < ranges; ++r) edges.uniteAcross(out.of, startOf(r), startOf(r + 1));
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
