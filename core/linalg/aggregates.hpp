#pragma once

#include <span>
#include <vector>

#include "linalg/block_pattern.hpp"

namespace clothlab::linalg {

/// A partition of the rows of a matrix into connected pieces of about equal size: the cells of a coarse space.
struct Aggregates {
    std::vector<Index> of;     ///< per row: its aggregate, from 0
    std::vector<Index> rows;   ///< aggregate after aggregate, ascending in each
    std::vector<Index> start;  ///< count + 1

    Index count() const { return Index(start.size()) - 1; }
    std::span<const Index> rowsIn(Index aggregate) const {
        return std::span(rows).subspan(start[aggregate], std::size_t(start[aggregate + 1] - start[aggregate]));
    }
};

/// Aggregates of about `size` rows from the graph of a pattern. One grows from a row at the rim of earlier ones and
/// repeatedly adds the neighbour with the most neighbours in it, which keeps it round. A remainder of less than a
/// quarter of the size joins the adjacent aggregate that it shares the most blocks with. The result depends on the
/// pattern and the size only. Disconnected pieces stay apart, however small.
Aggregates aggregate(const BlockPattern& pattern, Index size);

}  // namespace clothlab::linalg
