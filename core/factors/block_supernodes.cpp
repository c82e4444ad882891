#include "factors/block_supernodes.hpp"

#include <cstdint>

namespace clothlab::factors {
namespace {

/// The matrix in its order of elimination.
struct Ordered {
    const linalg::BlockPattern& pattern;
    std::span<const Index> order;
    std::vector<Index> place;

    Ordered(const linalg::BlockPattern& p, std::span<const Index> orderIn)
        : pattern(p), order(orderIn), place(orderIn.size()) {
        for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = Index(k);
    }
    Index size() const { return Index(order.size()); }
    /// f(column) over the blocks left of the diagonal of row k.
    template <class F>
    void forLeft(Index k, F f) const {
        const Index i = order[k];
        for (Index b = pattern.rowStart[i]; b < pattern.rowStart[i + 1]; ++b)
            if (const Index j = place[pattern.column[b]]; j < k) f(j);
    }
};

/// Liu's algorithm, with shortcuts to the root found so far ([Davis] §4.1).
std::vector<Index> eliminationTree(const Ordered& A) {
    std::vector<Index> parent(std::size_t(A.size()), -1), ancestor(parent);
    for (Index k = 0; k < A.size(); ++k)
        A.forLeft(k, [&](Index j) {
            while (j != -1 && j != k) {
                const Index next = ancestor[j];
                ancestor[j] = k;
                if (next == -1) parent[j] = k;
                j = next;
            }
        });
    return parent;
}

/// Where supernodes begin: a column joins the one before it when it is its parent with no other child, and has the same
/// structure but for the one.
std::vector<Index> fundamental(std::span<const Index> parent, std::span<const int> count) {
    const auto n = Index(parent.size());
    std::vector<Index> children(parent.size(), 0), first{0};
    for (const Index p : parent)
        if (p >= 0) ++children[p];
    for (Index j = 1; j < n; ++j)
        if (parent[j - 1] != j || count[j - 1] != count[j] + 1 || children[j] > 1) first.push_back(j);
    first.push_back(n);
    return first;
}

std::vector<Index> supernodeOfColumns(std::span<const Index> first) {
    std::vector<Index> of(std::size_t(first.back()));
    for (std::size_t s = 0; s + 1 < first.size(); ++s)
        for (Index j = first[s]; j < first[s + 1]; ++j) of[j] = Index(s);
    return of;
}

std::vector<Index> supernodeParents(std::span<const Index> first, std::span<const Index> of,
                                    std::span<const Index> parent) {
    std::vector<Index> out;
    for (std::size_t s = 0; s + 1 < first.size(); ++s) {
        const Index above = parent[first[s + 1] - 1];
        out.push_back(above < 0 ? -1 : of[above]);
    }
    return out;
}

/// CHOLMOD's numbers: up to so many columns of scalars a share of zeros below this is taken into the bargain.
struct Relaxed {
    double columns, zeros;
};
constexpr double kJoinAlways = 4;
constexpr Relaxed kRelaxed[] = {{16, 0.8}, {48, 0.1}, {1e300, 0.05}};

/// What grows by merging, in scalars.
struct Growing {
    double columns, leading;  ///< `leading`: rows of the first column
    double zeros = 0;
};

/// Whether `below` and the supernode after it, its parent, become one, and with how many zeros.
bool joins(const Growing& below, const Growing& above, double& zeros) {
    const double columns = below.columns + above.columns;
    zeros = above.zeros;
    if (columns <= kJoinAlways) return true;
    const double added = below.columns * (above.leading + below.columns - below.leading);
    if (added == 0) return true;
    zeros += added;
    const double size = columns * (columns + 1) / 2 + columns * (above.leading - above.columns);
    for (const Relaxed& r : kRelaxed)
        if (columns <= r.columns && zeros / size < r.zeros) return true;
    return false;
}

/// The supernodes that are left after merging from the last to the first.
std::vector<Index> relaxed(std::span<const Index> first, std::span<const Index> parent, std::span<const int> count) {
    const auto n = Index(parent.size());
    std::vector<Growing> node;
    for (Index s = 0; s < n; ++s)
        node.push_back({.columns = 3.0 * (first[s + 1] - first[s]), .leading = 3.0 * count[first[s]]});
    std::vector<Index> mergedInto(parent.size(), -1);
    const auto current = [&](Index s) {
        Index found = s;
        while (mergedInto[found] >= 0) found = mergedInto[found];
        while (mergedInto[s] >= 0) {
            const Index next = mergedInto[s];
            mergedInto[s] = found;
            s = next;
        }
        return found;
    };
    for (Index s = n - 2; s >= 0; --s) {
        if (parent[s] < 0 || current(parent[s]) != s + 1) continue;
        double zeros = 0;
        if (!joins(node[s], node[s + 1], zeros)) continue;
        node[s].zeros = zeros;
        node[s].leading = node[s].columns + node[s + 1].leading;
        node[s].columns += node[s + 1].columns;
        mergedInto[s + 1] = s;
    }
    std::vector<Index> left;
    for (Index s = 0; s < n; ++s)
        if (mergedInto[s] < 0) left.push_back(first[s]);
    left.push_back(first.back());
    return left;
}

/// Calls f(supernode, row) for each row of each supernode but its own columns, rows ascending: row k is in all
/// supernodes on the paths of the tree from its blocks up to its own.
template <class F>
void forRowsBelow(const Ordered& A, const BlockSupernodes& nodes, std::span<const Index> of, F f) {
    std::vector<Index> seen(std::size_t(nodes.count()), -1);
    for (Index k = 0; k < A.size(); ++k) {
        seen[of[k]] = k;
        A.forLeft(k, [&](Index j) {
            for (Index s = of[j]; seen[s] != k; s = nodes.parent[s]) {
                seen[s] = k;
                f(s, k);
            }
        });
    }
}

void findRows(const Ordered& A, std::span<const Index> of, BlockSupernodes& nodes) {
    const auto count = std::size_t(nodes.count());
    std::vector<std::size_t> next(count);
    for (std::size_t s = 0; s < count; ++s) next[s] = std::size_t(nodes.firstColumn[s + 1] - nodes.firstColumn[s]);
    forRowsBelow(A, nodes, of, [&](Index s, Index) { ++next[s]; });
    nodes.rowStart.assign(1, 0);
    for (const std::size_t rows : next) nodes.rowStart.push_back(nodes.rowStart.back() + rows);
    nodes.row.resize(nodes.rowStart.back());
    for (std::size_t s = 0; s < count; ++s) {
        next[s] = nodes.rowStart[s];
        for (Index j = nodes.firstColumn[s]; j < nodes.firstColumn[s + 1]; ++j) nodes.row[next[s]++] = j;
    }
    forRowsBelow(A, nodes, of, [&](Index s, Index k) { nodes.row[next[s]++] = k; });
}

}  // namespace

BlockSupernodes blockSupernodes(const linalg::BlockPattern& pattern, std::span<const int> order,
                                std::span<const int> columnCount) {
    BlockSupernodes nodes;
    nodes.order.assign(order.begin(), order.end());
    const Ordered A(pattern, nodes.order);
    const std::vector<Index> parent = eliminationTree(A);
    const std::vector<Index> first = fundamental(parent, columnCount);
    nodes.firstColumn = relaxed(first, supernodeParents(first, supernodeOfColumns(first), parent), columnCount);
    const std::vector<Index> of = supernodeOfColumns(nodes.firstColumn);
    nodes.parent = supernodeParents(nodes.firstColumn, of, parent);
    findRows(A, of, nodes);
    for (const int blocks : columnCount)
        for (int c = 0; c < 3; ++c) {
            const double own = 3.0 * blocks - c;
            nodes.entries += own;
            nodes.operations += own * own;
        }
    return nodes;
}

}  // namespace clothlab::factors
