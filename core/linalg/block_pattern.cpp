#include "linalg/block_pattern.hpp"

#include <algorithm>
#include <atomic>
#include <cassert>

namespace clothlab::linalg {

Index BlockPattern::find(Index i, Index j) const {
    const auto begin = column.begin() + rowStart[i], end = column.begin() + rowStart[i + 1];
    const auto it = std::lower_bound(begin, end, j);
    return it != end && *it == j ? Index(it - column.begin()) : -1;
}

std::shared_ptr<const BlockPattern> makePattern(Index rows, std::vector<Index> rowStart, std::vector<Index> column,
                                                Index band) {
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

std::shared_ptr<const BlockPattern> united(const BlockPattern& pattern, std::span<const std::pair<Index, Index>> pairs,
                                           std::vector<Index>& position) {
    assert(std::is_sorted(pairs.begin(), pairs.end()));
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
    return makePattern(rows, std::move(rowStart), std::move(column), band);
}

}  // namespace clothlab::linalg
