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

/// The 3x3 blocks that a symmetric matrix may hold: full rows, columns ascending, the diagonal always present. A
/// pattern is shared and immutable, and everything symbolic is keyed by its revision.
struct BlockPattern {
    Index rows = 0;
    std::vector<Index> rowStart;  ///< rows + 1
    std::vector<Index> column;    ///< #blocks, ascending within a row
    std::vector<Index> diagonal;  ///< rows; position of block (i, i)
    std::uint64_t revision = 0;   ///< unique among all patterns of the process
    Index band = 0;  ///< blocks farther from the diagonal are strays (pairs of particles), not bandwidth; 0 = none
    std::shared_ptr<const PatternOrigin> origin;  ///< null: it is permanent itself

    Index blocks() const { return Index(column.size()); }
    /// Position of block (i, j), or -1.
    Index find(Index i, Index j) const;
};

/// Contacts come and go: they remove rows from a pattern and add blocks to it. Its permanent part is the pattern of the
/// cloth without them. An order of elimination found for that is used for all patterns derived from it by contacts, and
/// as it depends on no pattern in between, a motion has the same bits from whichever state it continues.
struct PatternOrigin {
    std::shared_ptr<const BlockPattern> pattern;  ///< has no origin itself
    std::vector<Index> row{};                     ///< per row of the derived pattern: its row here
};

/// Pattern with the diagonal and both blocks of every pair {i, j}, i != j; repeated pairs count once.
std::shared_ptr<const BlockPattern> makePattern(Index rows, std::span<const std::pair<Index, Index>> pairs);

/// Takes finished rows (columns ascending, diagonal present and symmetric) and numbers the pattern.
std::shared_ptr<const BlockPattern> makePattern(Index rows, std::vector<Index> rowStart, std::vector<Index> column,
                                                Index band = 0, std::shared_ptr<const PatternOrigin> origin = {});

/// `pattern` and both blocks of every pair (i, j), i < j, of a sorted list, which may contain pairs of the pattern.
/// Linear in blocks and pairs: nothing is sorted. The band is that of `pattern`, which is the origin of the result.
/// position[k] = the new position of block k of `pattern`.
std::shared_ptr<const BlockPattern> united(const std::shared_ptr<const BlockPattern>& pattern,
                                           std::span<const std::pair<Index, Index>> pairs,
                                           std::vector<Index>& position);

/// `pattern` without the rows that `row` has at -1; the others are numbered by it, ascending. source[k] = the block of
/// `pattern` that becomes block k. `origin` is of the remaining rows.
std::shared_ptr<const BlockPattern> withoutRows(const BlockPattern& pattern, std::span<const Index> row,
                                                std::shared_ptr<const PatternOrigin> origin, std::vector<Index>& source,
                                                WorkerPool& pool);

}  // namespace clothlab::linalg
