#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "linalg/block_pattern.hpp"

namespace clothlab::factors {

/// The structure of a complete Cholesky factor, block by block: column j holds the places row[start[j]] ..
/// row[start[j + 1] - 1] below its diagonal, ascending. Rows and columns are places in the order of elimination.
struct FillPattern {
    std::vector<std::size_t> start;  ///< columns + 1
    std::vector<Index> row;
};

/// The fill of P A P^T, order[k] being the row eliminated k-th. `kept(block)` says which blocks of the pattern count. A
/// column's structure is that of A and of its children in the elimination tree ([Davis] §4.1).
template <class Kept>
FillPattern symbolicFill(const linalg::BlockPattern& p, std::span<const Index> order, Kept kept) {
    const auto n = std::size_t(p.rows);
    std::vector<Index> place(n), stamp(n, -1);
    for (std::size_t k = 0; k < n; ++k) place[order[k]] = Index(k);
    std::vector<std::vector<Index>> children(n), column(n);
    FillPattern fill;
    fill.start.assign(1, 0);
    for (std::size_t j = 0; j < n; ++j) {
        const auto own = Index(j);
        stamp[j] = own;
        std::vector<Index>& rows = column[j];
        const auto add = [&](Index i) {
            if (i <= own || stamp[i] == own) return;
            stamp[i] = own;
            rows.push_back(i);
        };
        const Index r = order[j];
        for (Index k = p.rowStart[r]; k < p.rowStart[r + 1]; ++k)
            if (kept(k)) add(place[p.column[k]]);
        for (const Index child : children[j])
            for (const Index i : column[child]) add(i);
        std::sort(rows.begin(), rows.end());
        if (!rows.empty()) children[rows.front()].push_back(own);
        fill.row.insert(fill.row.end(), rows.begin(), rows.end());
        fill.start.push_back(fill.row.size());
    }
    return fill;
}

}  // namespace clothlab::factors
