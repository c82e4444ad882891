#pragma once

#include <span>
#include <vector>

#include "linalg/block_pattern.hpp"

namespace clothlab::factors {

/// The symbolic factor of a block matrix by supernodes: runs of columns that share one structure. Everything counts
/// blocks, and rows and columns are places in the order of elimination.
struct BlockSupernodes {
    std::vector<Index> order;            ///< order[k] = the row of the matrix that is eliminated k-th
    std::vector<Index> firstColumn;      ///< supernodes + 1
    std::vector<Index> parent;           ///< in the tree of supernodes; -1 = a root. Children come before parents.
    std::vector<std::size_t> rowStart;   ///< supernodes + 1
    std::vector<Index> row;              ///< of each supernode, ascending: its columns, and the rows below
    double entries = 0, operations = 0;  ///< of the factor as scalars, and of the factorization; before merging

    Index count() const { return Index(parent.size()); }
    std::span<const Index> rowsIn(Index s) const {
        return std::span(row).subspan(rowStart[s], rowStart[s + 1] - rowStart[s]);
    }
};

/// `order` is a postorder of its elimination tree, `columnCount[k]` the number of blocks of column k of the factor,
/// including its diagonal one. Small supernodes join their parents where that adds few zeros, by CHOLMOD's rule and its
/// numbers for the matrix of scalars: the result equals CHOLMOD's supernodes, from a ninth of the entries.
BlockSupernodes blockSupernodes(const linalg::BlockPattern& pattern, std::span<const int> order,
                                std::span<const int> columnCount);

}  // namespace clothlab::factors
