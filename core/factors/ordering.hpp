#pragma once

#include <vector>

#include "base/enum_table.hpp"
#include "base/worker_pool.hpp"
#include "linalg/block_pattern.hpp"

namespace clothlab::factors {

/// The order of elimination of a factor, complete or incomplete.
enum class Ordering : int { Best, Amd, Metis, Nesdis, Natural, ReverseCuthillMcKee };
std::span<const EnumEntry> enumTable(Ordering);

/// order[k] = the row of the pattern eliminated k-th. Best is natural here: only the caller of a complete factor can
/// compare fill. A failure of the library (out of memory) gives an empty order.
std::vector<Index> orderRows(const linalg::BlockPattern& pattern, Ordering which);

/// An order of elimination with independent parts.
struct DomainOrder {
    std::vector<Index> order;        ///< domain after domain, then the separators
    std::vector<Index> domainStart;  ///< #domains + 1, ascending; from domainStart.back() on come the separators

    Index domains() const { return Index(domainStart.size()) - 1; }
};

/// Cuts an order into `domains` runs of equal length. A row with a neighbour in an earlier run becomes part of a
/// separator, so that no two domains touch each other. Every second run is reversed, to go towards the separator before
/// it: elimination towards a separator leaves no fill between the two (two halves of a chain that meet in the middle
/// have none at all), elimination away from one leaves it all the way. So two domains cost an incomplete factor hardly
/// an iteration, and more than two cost it many: between the second and the third both go away. Needs a narrow band
/// (natural order of a grid, reverse Cuthill-McKee): while separators would take more than a fifth of the rows, the
/// number of domains is halved.
DomainOrder cutIntoDomains(const linalg::BlockPattern& pattern, std::vector<Index> order, Index domains);

/// The default number of domains: two, where a region of the worker pool is worth waking a thread for.
constexpr Index automaticDomains(Index rows) { return rows >= WorkerPool::kDefaultInlineRows ? 2 : 1; }

}  // namespace clothlab::factors
