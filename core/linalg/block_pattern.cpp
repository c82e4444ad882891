#include "linalg/block_pattern.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <numeric>

namespace clothlab::linalg {

Index BlockPattern::find(Index i, Index j) const {
    const auto begin = column.begin() + rowStart[i], end = column.begin() + rowStart[i + 1];
    const auto it = std::lower_bound(begin, end, j);
    return it != end && *it == j ? Index(it - column.begin()) : -1;
}

std::shared_ptr<const BlockPattern> makePattern(Index rows, std::vector<Index> rowStart, std::vector<Index> column,
                                                Index band, std::shared_ptr<const PatternOrigin> origin) {
    assert(!origin || (Index(origin->row.size()) == rows && !origin->pattern->origin));
    // The counter only tells patterns apart; no result depends on its value.
    static std::atomic<std::uint64_t> counter{0};
    auto pattern = std::make_shared<BlockPattern>();
    pattern->rows = rows;
    pattern->rowStart = std::move(rowStart);
    pattern->column = std::move(column);
    pattern->diagonal.resize(rows);
    for (Index i = 0; i < rows; ++i) {
        pattern->diagonal[i] = pattern->find(i, i);
        assert(pattern->diagonal[i] >= 0);
    }
    pattern->band = band;
    pattern->origin = std::move(origin);
    pattern->revision = ++counter;
    return pattern;
}

std::shared_ptr<const BlockPattern> makePattern(Index rows, std::span<const std::pair<Index, Index>> pairs) {
    std::vector<Index> rowStart(rows + 1, 0);
    for (const auto& [i, j] : pairs) {
        assert(i != j && i >= 0 && j >= 0 && i < rows && j < rows);
        ++rowStart[i + 1];
        ++rowStart[j + 1];
    }
    for (Index i = 0; i < rows; ++i) rowStart[i + 1] += rowStart[i] + 1;  // + 1: the diagonal
    std::vector<Index> column(rowStart[rows]);
    std::vector<Index> cursor(rowStart.begin(), rowStart.end() - 1);
    for (Index i = 0; i < rows; ++i) column[cursor[i]++] = i;
    for (const auto& [i, j] : pairs) {
        column[cursor[i]++] = j;
        column[cursor[j]++] = i;
    }
    std::vector<Index> compactStart(rows + 1, 0), compact;
    compact.reserve(column.size());
    for (Index i = 0; i < rows; ++i) {
        const auto begin = column.begin() + rowStart[i], end = column.begin() + rowStart[i + 1];
        std::sort(begin, end);
        compact.insert(compact.end(), begin, std::unique(begin, end));
        compactStart[i + 1] = Index(compact.size());
    }
    return makePattern(rows, std::move(compactStart), std::move(compact));
}

std::shared_ptr<const BlockPattern> united(const std::shared_ptr<const BlockPattern>& own,
                                           std::span<const std::pair<Index, Index>> pairs,
                                           std::vector<Index>& position) {
    assert(!own->origin && std::is_sorted(pairs.begin(), pairs.end()));
    const BlockPattern& pattern = *own;
    const Index rows = pattern.rows;
    std::vector<Index> start(rows + 1, 0);
    for (const auto& [i, j] : pairs) {
        assert(0 <= i && i < j && j < rows);
        ++start[i + 1];
        ++start[j + 1];
    }
    for (Index i = 0; i < rows; ++i) start[i + 1] += start[i];
    // Columns below i come before those above it, both ascending: all pairs (., i) precede the pairs (i, .).
    std::vector<Index> partner(2 * pairs.size()), next(start.begin(), start.end() - 1);
    for (const auto& [i, j] : pairs) {
        partner[next[i]++] = j;
        partner[next[j]++] = i;
    }
    Index band = 1;
    for (Index i = 0; i < rows; ++i) band = std::max(band, pattern.column[pattern.rowStart[i + 1] - 1] - i);
    std::vector<Index> rowStart(rows + 1, 0), column;
    column.reserve(pattern.column.size() + partner.size());
    position.resize(pattern.column.size());
    for (Index i = 0; i < rows; ++i) {
        Index p = start[i];
        const auto addPartnersBelow = [&](Index end) {
            for (; p < start[i + 1] && partner[p] <= end; ++p)
                if (partner[p] < end && (p == start[i] || partner[p] != partner[p - 1])) column.push_back(partner[p]);
        };
        for (Index k = pattern.rowStart[i]; k < pattern.rowStart[i + 1]; ++k) {
            addPartnersBelow(pattern.column[k]);
            position[k] = Index(column.size());
            column.push_back(pattern.column[k]);
        }
        addPartnersBelow(rows);
        rowStart[i + 1] = Index(column.size());
    }
    PatternOrigin origin{.pattern = own, .row = std::vector<Index>(std::size_t(rows))};
    std::iota(origin.row.begin(), origin.row.end(), 0);
    return makePattern(rows, std::move(rowStart), std::move(column), band,
                       std::make_shared<const PatternOrigin>(std::move(origin)));
}

std::shared_ptr<const BlockPattern> withoutRows(const BlockPattern& pattern, std::span<const Index> row,
                                                std::shared_ptr<const PatternOrigin> origin, std::vector<Index>& source,
                                                WorkerPool& pool) {
    std::vector<Index> left;  // row of the result -> row of the pattern
    for (Index i = 0; i < pattern.rows; ++i)
        if (row[i] >= 0) left.push_back(i);
    const auto rows = Index(left.size());
    std::vector<Index> rowStart(left.size() + 1, 0);
    parallelRows(pool, rows, [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r)
            for (Index k = pattern.rowStart[left[r]]; k < pattern.rowStart[left[r] + 1]; ++k)
                rowStart[r + 1] += row[pattern.column[k]] >= 0;
    });
    std::partial_sum(rowStart.begin(), rowStart.end(), rowStart.begin());
    std::vector<Index> column(rowStart.back());
    source.resize(column.size());
    parallelRows(pool, rows, [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r)
            for (Index k = pattern.rowStart[left[r]], to = rowStart[r]; k < pattern.rowStart[left[r] + 1]; ++k)
                if (row[pattern.column[k]] >= 0) {
                    column[to] = row[pattern.column[k]];
                    source[to++] = k;
                }
    });
    return makePattern(rows, std::move(rowStart), std::move(column), pattern.band, std::move(origin));
}

}  // namespace clothlab::linalg
