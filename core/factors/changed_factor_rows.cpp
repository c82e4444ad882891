#include <fmt/format.h>

#include <algorithm>

#include "base/stage_timer.hpp"
#include "factors/changed_factor.hpp"

/// Changes of the LDL^T copy, one row or link after another.
namespace clothlab::factors {

std::string ChangedFactor::singularText(Index changed) {
    return fmt::format("the matrix is singular with {} rows changed: does something hold every particle?", changed);
}

bool ChangedFactor::copyForRows() {
    if (converted_) return true;
    const StageTimer timer;
    const auto n = std::size_t(matrix_.rows());
    if (!matrix_.factor().startRowChanges()) return false;
    rowPinned_.assign(n, 0);
    for (const Index row : matrix_.pinnedRows()) rowPinned_[row] = 1;
    rowAdded_.assign(n, 0.0);
    rowLinks_.clear();
    converted_ = true;
    times_.conversion = timer.seconds();
    ++times_.conversions;
    return true;
}

/// Of a row that is the identity's so far, to rows that are not.
std::vector<std::pair<Index, double>> ChangedFactor::rowEntries(Index row) const {
    const linalg::BlockPattern& p = matrix_.pattern();
    std::vector<std::pair<Index, double>> entries;
    for (Index k = p.rowStart[row]; k < p.rowStart[row + 1]; ++k) {
        const Index column = p.column[k];
        if (column != row && rowPinned_[column]) continue;
        double value = matrix_.value(k) + (column == row ? added_[row] : 0.0);
        for (const Link& link : rowLinks_) {
            if (link.i != row && link.j != row) continue;
            if (column == row)
                value += link.value;
            else if (column == link.i || column == link.j)
                value -= link.value;
        }
        entries.emplace_back(column, value);
    }
    return entries;
}

/// Links that came, went or changed, between rows as they stand: next to a pinned one a link is on the diagonal alone.
bool ChangedFactor::followLinks() {
    ScalarFactor& factor = matrix_.factor();
    const auto add = [&](const Link& link, double value) {
        if (rowPinned_[link.i] && rowPinned_[link.j]) return true;
        if (rowPinned_[link.i]) return factor.addToDiagonal(link.j, value);
        if (rowPinned_[link.j]) return factor.addToDiagonal(link.i, value);
        return factor.addBetween(link.i, link.j, value);
    };
    const auto lacks = [](const std::vector<Link>& list, const Link& link) {
        return std::ranges::find(list, link) == list.end();
    };
    bool done = true;
    // What stiffens comes first: the matrix stays definite on the way.
    for (const bool stiffens : {true, false}) {
        for (const Link& link : links_)
            if (done && (link.value > 0) == stiffens && lacks(rowLinks_, link)) done = add(link, link.value);
        for (const Link& link : rowLinks_)
            if (done && (link.value < 0) == stiffens && lacks(links_, link)) done = add(link, -link.value);
    }
    rowLinks_ = links_;
    return done;
}

bool ChangedFactor::rowsAreDefinite() {
    const linalg::BlockPattern& p = matrix_.pattern();
    std::vector<double> diagonal(std::size_t(p.rows), 1.0);
    for (Index i = 0; i < p.rows; ++i)
        if (!pinned_[i]) diagonal[i] = matrix_.value(p.diagonal[i]) + added_[i];
    for (const Link& link : links_)
        for (const Index i : {link.i, link.j})
            if (!pinned_[i]) diagonal[i] += link.value;
    return matrix_.factor().smallestPivot(diagonal) > kSingular;
}

/// Rows whose state differs from what the copy holds.
bool ChangedFactor::followRows() {
    ScalarFactor& factor = matrix_.factor();
    const Index n = matrix_.rows();
    bool done = copyForRows();
    if (!done) {
        message_ = factor.message();
        return false;
    }
    for (Index i = 0; i < n && done; ++i)
        if (pinned_[i] && !rowPinned_[i]) {
            done = factor.deleteRow(i);
            rowPinned_[i] = 1;
            rowAdded_[i] = 0;
        }
    done = done && followLinks();
    for (Index i = 0; i < n && done; ++i) {
        if (pinned_[i]) continue;
        if (rowPinned_[i]) {
            done = factor.addRow(i, rowEntries(i));
            rowPinned_[i] = 0;
        } else if (added_[i] != rowAdded_[i]) {
            done = factor.addToDiagonal(i, added_[i] - rowAdded_[i]);
        }
        rowAdded_[i] = added_[i];
    }
    rowsChanged_ = Index(links_.size());
    for (Index i = 0; i < n; ++i) rowsChanged_ += matrix_.pinned(i) != (pinned_[i] != 0) || added_[i] != 0;
    if (done && rowsAreDefinite()) return true;
    message_ = done ? singularText(rowsChanged_) : factor.message();
    converted_ = false;
    return false;
}

}  // namespace clothlab::factors
