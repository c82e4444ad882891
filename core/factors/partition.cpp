#include "factors/partition.hpp"

#include <algorithm>
#include <span>

namespace clothlab::factors {
namespace {

/// Gives each row of the interface that touches less than two domains to the one it touches, or to the first. Rows only
/// leave the interface, so that a row which stayed keeps the domains that it touches.
void shrinkInterface(const linalg::BlockPattern& p, Partition& partition) {
    for (Index row = 0; row < p.rows; ++row) {
        if (partition.of[row] != Partition::kInterface) continue;
        Index only = Partition::kInterface;
        bool several = false;
        for (Index k = p.rowStart[row]; k < p.rowStart[row + 1]; ++k) {
            const Index domain = partition.of[p.column[k]];
            if (domain == Partition::kInterface || domain == only) continue;
            several = several || only != Partition::kInterface;
            only = domain;
        }
        if (!several) partition.of[row] = std::max<Index>(only, 0);
    }
}

}  // namespace

Partition partitionRows(const linalg::BlockPattern& pattern, Index domains) {
    DomainOrder best;
    for (const Ordering along : {Ordering::Natural, Ordering::ReverseCuthillMcKee}) {
        DomainOrder cut = cutIntoDomains(pattern, orderRows(pattern, along), domains);
        const bool larger = !best.domainStart.empty() && cut.domains() == best.domains() &&
                            cut.domainStart.back() > best.domainStart.back();
        if (best.domainStart.empty() || cut.domains() > best.domains() || larger) best = std::move(cut);
    }
    Partition partition{.of = std::vector<Index>(std::size_t(pattern.rows), Partition::kInterface),
                        .domains = best.domains()};
    for (Index d = 0; d < best.domains(); ++d)
        for (Index k = best.domainStart[d]; k < best.domainStart[d + 1]; ++k) partition.of[best.order[k]] = d;
    shrinkInterface(pattern, partition);
    return partition;
}

}  // namespace clothlab::factors
