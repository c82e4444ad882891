#include "factors/ordering.hpp"

#include <algorithm>
#include <numeric>
#include <span>

#include "factors/cholmod_factor.hpp"

namespace clothlab::factors {
namespace {

constexpr std::array kOrderings{
    EnumEntry{int(Ordering::Best), "best", "best",
              "For a complete factor AMD or METIS, whichever has less "
              "fill; for an incomplete one the order of the particles."},
    EnumEntry{int(Ordering::Amd), "amd", "AMD", "Approximate minimum degree."},
    EnumEntry{int(Ordering::Metis), "metis", "METIS", "Nested dissection by METIS: separators last."},
    EnumEntry{int(Ordering::Nesdis), "nesdis", "NESDIS", "CHOLMOD's nested dissection."},
    EnumEntry{int(Ordering::Natural), "natural", "natural",
              "The order of the particles: row after row of a grid, a narrow band of a mesh."},
    EnumEntry{int(Ordering::ReverseCuthillMcKee), "rcm", "reverse Cuthill-McKee",
              "Breadth first from one end, backwards: a small band."},
};

}  // namespace

std::span<const EnumEntry> enumTable(Ordering) { return kOrderings; }
namespace {

/// Appends the component of `start`, breadth first, neighbours by rising degree.
void visit(const linalg::BlockPattern& p, Index start, std::vector<std::uint8_t>& seen, std::vector<Index>& order) {
    const auto degree = [&p](Index i) { return p.rowStart[i + 1] - p.rowStart[i]; };
    seen[start] = 1;
    order.push_back(start);
    for (std::size_t next = order.size() - 1; next < order.size(); ++next) {
        const auto first = std::ptrdiff_t(order.size());
        const Index row = order[next];
        for (Index k = p.rowStart[row]; k < p.rowStart[row + 1]; ++k)
            if (auto& mark = seen[p.column[k]]; !mark) {
                mark = 1;
                order.push_back(p.column[k]);
            }
        std::stable_sort(order.begin() + first, order.end(), [&](Index a, Index b) { return degree(a) < degree(b); });
    }
}

std::vector<Index> naturalOrder(const linalg::BlockPattern& pattern) {
    std::vector<Index> order(pattern.rows);
    std::iota(order.begin(), order.end(), 0);
    return order;
}

std::vector<Index> reverseCuthillMcKee(const linalg::BlockPattern& pattern) {
    const auto n = std::size_t(pattern.rows);
    std::vector<std::uint8_t> seen(n, 0), probed(n, 0);
    std::vector<Index> order, probe;
    order.reserve(n);
    for (Index i = 0; i < pattern.rows; ++i) {
        if (seen[i]) continue;
        // The last of a breadth-first walk lies at an end: a good place to start.
        probe.clear();
        visit(pattern, i, probed, probe);
        visit(pattern, probe.back(), seen, order);
    }
    std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace

std::vector<Index> orderRows(const linalg::BlockPattern& pattern, Ordering which) {
    switch (which) {
        case Ordering::Best:
        case Ordering::Natural:
            return naturalOrder(pattern);
        case Ordering::ReverseCuthillMcKee:
            return reverseCuthillMcKee(pattern);
        case Ordering::Amd:
        case Ordering::Metis:
        case Ordering::Nesdis:
            break;
    }
    return cholmodOrder(pattern, which);
}

DomainOrder cutIntoDomains(const linalg::BlockPattern& pattern, std::vector<Index> order, Index domains) {
    if (domains <= 1 || pattern.rows < 2 * domains) return {std::move(order), {0, pattern.rows}};
    std::vector<Index> run(order.size());
    const auto rangeStart = [&](Index d) { return Index(std::int64_t(pattern.rows) * d / domains); };
    for (Index d = 0; d < domains; ++d)
        for (Index k = rangeStart(d); k < rangeStart(d + 1); ++k) run[order[k]] = d;

    DomainOrder cut{.order = {}, .domainStart = {0}};
    std::vector<Index> separators;
    for (Index d = 0; d < domains; ++d) {
        for (Index k = rangeStart(d); k < rangeStart(d + 1); ++k) {
            const Index i = order[k];
            const auto neighbours =
                std::span(pattern.column)
                    .subspan(pattern.rowStart[i], std::size_t(pattern.rowStart[i + 1] - pattern.rowStart[i]));
            const bool separates = d > 0 && std::ranges::any_of(neighbours, [&](Index j) { return run[j] < d; });
            (separates ? separators : cut.order).push_back(i);
        }
        if (d % 2 == 1) std::reverse(cut.order.begin() + cut.domainStart.back(), cut.order.end());
        cut.domainStart.push_back(Index(cut.order.size()));
    }
    if (5 * separators.size() > order.size()) return cutIntoDomains(pattern, std::move(order), domains / 2);
    cut.order.insert(cut.order.end(), separators.begin(), separators.end());
    return cut;
}

}  // namespace clothlab::factors
