#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "base/worker_pool.hpp"

namespace clothlab::linalg {

struct PatternOrigin;

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
    std::shared_ptr<const PatternOrigin> origin;  ///< null: it is what lasts itself

    Index blocks() const { return Index(column.size()); }
    /// Position of block (i, j), or -1.
    Index find(Index i, Index j) const;
};

/// Contacts come and go: they take rows out of a pattern and add blocks to it. What lasts is the pattern of the cloth
/// without them. An order of elimination that was found for it serves all patterns that contacts make of it, and as it
/// depends on no pattern in between, a motion has the same bits from whichever state it continues.
struct PatternOrigin {
    std::shared_ptr<const BlockPattern> pattern;  ///< has no origin itself
    std::vector<Index> row{};                     ///< per row of the pattern that came of it: its row here
};

/// Pattern with the diagonal and both blocks of every pair {i, j}, i != j; repeated pairs count once.
std::shared_ptr<const BlockPattern> makePattern(Index rows, std::span<const std::pair<Index, Index>> pairs);

/// Takes finished rows (columns ascending, diagonal present and symmetric) and numbers the pattern.
std::shared_ptr<const BlockPattern> makePattern(Index rows, std::vector<Index> rowStart, std::vector<Index> column,
                                                Index band = 0, std::shared_ptr<const PatternOrigin> origin = {});

/// `pattern` and both blocks of every pair (i, j), i < j, of a sorted list, pairs that the pattern has already among
/// them. Linear in blocks and pairs: nothing is sorted. The band is that of `pattern`, which is the origin of what
/// comes out. position[k] = where block k of `pattern` is now.
std::shared_ptr<const BlockPattern> united(const std::shared_ptr<const BlockPattern>& pattern,
                                           std::span<const std::pair<Index, Index>> pairs,
                                           std::vector<Index>& position);

/// `pattern` without the rows that `row` has at -1; the others are numbered by it, ascending. source[k] = which block
/// of `pattern` block k is. `origin` is of the rows that are left.
std::shared_ptr<const BlockPattern> withoutRows(const BlockPattern& pattern, std::span<const Index> row,
                                                std::shared_ptr<const PatternOrigin> origin, std::vector<Index>& source,
                                                WorkerPool& pool);

}  // namespace clothlab::linalg
