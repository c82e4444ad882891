#include "linalg/ordering.hpp"

#include <algorithm>
#include <numeric>

#include "linalg/cholmod_factor.hpp"

namespace clothlab::linalg {
namespace {

/// Appends the component of `start`, breadth first, neighbours by rising degree.
void visit(const BlockPattern& p, Index start, std::vector<std::uint8_t>& seen, std::vector<Index>& order) {
    const auto degree = [&p](Index i) { return p.rowStart[i + 1] - p.rowStart[i]; };
    seen[static_cast<std::size_t>(start)] = 1;
    order.push_back(start);
    for (std::size_t next = order.size() - 1; next < order.size(); ++next) {
        const auto first = static_cast<std::ptrdiff_t>(order.size());
        const Index row = order[next];
        for (Index k = p.rowStart[row]; k < p.rowStart[row + 1]; ++k)
            if (auto& mark = seen[static_cast<std::size_t>(p.column[k])]; !mark) {
                mark = 1;
                order.push_back(p.column[k]);
            }
        std::stable_sort(order.begin() + first, order.end(), [&](Index a, Index b) { return degree(a) < degree(b); });
    }
}

std::vector<Index> naturalOrder(const BlockPattern& pattern) {
    std::vector<Index> order(static_cast<std::size_t>(pattern.rows));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

std::vector<Index> reverseCuthillMcKee(const BlockPattern& pattern) {
    const auto n = static_cast<std::size_t>(pattern.rows);
    std::vector<std::uint8_t> seen(n, 0), probed(n, 0);
    std::vector<Index> order, probe;
    order.reserve(n);
    for (Index i = 0; i < pattern.rows; ++i) {
        if (seen[static_cast<std::size_t>(i)]) continue;
        // The last of a breadth-first walk lies at an end: a good place to start.
        probe.clear();
        visit(pattern, i, probed, probe);
        visit(pattern, probe.back(), seen, order);
    }
    std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace

std::vector<Index> orderRows(const BlockPattern& pattern, Ordering which) {
    switch (which) {
        case Ordering::Best:
        case Ordering::Natural: return naturalOrder(pattern);
        case Ordering::ReverseCuthillMcKee: return reverseCuthillMcKee(pattern);
        case Ordering::Amd:
        case Ordering::Metis:
        case Ordering::Nesdis: break;
    }
    return cholmodOrder(pattern, which);
}

}  // namespace clothlab::linalg
