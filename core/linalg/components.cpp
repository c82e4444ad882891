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
    if (parent[i] == parent[j]) return;  // most often, in a cloth of one piece
    const Index a = rootOf(parent, i), b = rootOf(parent, j);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

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

void findComponents(const BlockMatrix& A, const DofConstraints& constraints, Components& out, const CutRule& cut) {
    const BlockPattern& p = A.pattern();
    const std::uint8_t* occupied = A.occupiedData();
    const std::span<const std::uint8_t> ndof = constraints.ndofs();
    std::vector<Index>& parent = out.of;
    parent.resize(static_cast<std::size_t>(p.rows));
    std::iota(parent.begin(), parent.end(), 0);
    for (Index i = 0; i < p.rows; ++i) {
        if (ndof[i] == 0) continue;
        for (Index k = p.diagonal[i] + 1; k < p.rowStart[i + 1]; ++k)
            if (occupied[k] && ndof[p.column[k]] != 0 && !(cut.on() && cut.cuts(i, p.column[k]))) unite(parent, i, p.column[k]);
    }
    numberSets(ndof, out);
}

void separateParticles(std::span<const std::uint8_t> ndof, Components& out) {
    out.of.resize(ndof.size());
    std::iota(out.of.begin(), out.of.end(), 0);
    numberSets(ndof, out);
}

}  // namespace clothlab::linalg
