#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"

namespace clothlab::linalg {

/// Which 3x3 blocks a symmetric matrix may hold: full rows, columns ascending, the diagonal always present.
/// A pattern lasts: it is shared, never changed after it is made, and everything symbolic is keyed by its revision.
struct BlockPattern {
    Index rows = 0;
    std::vector<Index> rowStart;  ///< rows + 1
    std::vector<Index> column;    ///< #blocks, ascending within a row
    std::vector<Index> diagonal;  ///< rows; position of block (i, i)
    std::uint64_t revision = 0;   ///< unique among all patterns of the process
    Index band =
        0;  ///< blocks farther from the diagonal are strays (pairs of particles), not bandwidth; 0 = there are none

    Index blocks() const { return Index(column.size()); }
    /// Position of block (i, j), or -1.
    Index find(Index i, Index j) const;
};

/// Pattern with the diagonal and both blocks of every pair {i, j}, i != j; repeated pairs count once.
std::shared_ptr<const BlockPattern> makePattern(Index rows, std::span<const std::pair<Index, Index>> pairs);

/// Takes finished rows (columns ascending, diagonal present and symmetric) and numbers the pattern.
std::shared_ptr<const BlockPattern> makePattern(Index rows, std::vector<Index> rowStart, std::vector<Index> column,
                                                Index band = 0);

/// `pattern` and both blocks of every pair (i, j), i < j, of a sorted list, pairs that the pattern has already among
/// them. Linear in blocks and pairs: nothing is sorted. The band is that of `pattern`. position[k] = where block k of
/// `pattern` is now.
std::shared_ptr<const BlockPattern> united(const BlockPattern& pattern, std::span<const std::pair<Index, Index>> pairs,
                                           std::vector<Index>& position);

}  // namespace clothlab::linalg
