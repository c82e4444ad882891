#include "experiments/systems/sparsity.hpp"

#include <algorithm>
#include <numeric>

#include "factors/symbolic_fill.hpp"
#include "linalg/components.hpp"

namespace clothlab::experiments {
namespace {

using linalg::CoreMask;

BlockKind classify(const linalg::FrozenSystem& system, Index block, Index i, Index j) {
    if (i == j) return BlockKind::Diagonal;
    if (!system.A.occupied(block)) return BlockKind::Slack;
    if (system.core.offDiagonal.empty()) return BlockKind::Outside;
    const std::uint8_t bits = system.core.offDiagonal[block];
    return bits & CoreMask::kCore      ? BlockKind::Core
           : bits & CoreMask::kContact ? BlockKind::Contact
           : bits & CoreMask::kShear   ? BlockKind::Shear
                                       : BlockKind::Outside;
}

bool inIt(SparsityOf of, BlockKind kind, bool anyHeld) {
    if (kind == BlockKind::Diagonal) return true;
    if (kind == BlockKind::Slack) return of == SparsityOf::Matrix;
    if (of == SparsityOf::Core) return kind == BlockKind::Core || kind == BlockKind::Contact;
    return !((of == SparsityOf::Constrained) && anyHeld);
}

void closeRow(Sparsity& out, std::vector<std::pair<Index, BlockKind>>& row) {
    std::sort(row.begin(), row.end());
    for (const auto& [column, kind] : row) {
        out.column.push_back(column);
        out.kind.push_back(kind);
        out.occupied += kind != BlockKind::Slack;
    }
    out.rowStart.push_back(out.column.size());
    row.clear();
}

/// Rows of the lower half from the columns of a complete factor. What A has below the diagonal keeps its kind.
void fillFromFactor(const linalg::FrozenSystem& system, Sparsity& out) {
    const linalg::BlockPattern& p = system.A.pattern();
    const auto fill = factors::symbolicFill(p, out.particle, [&](Index k) { return system.A.occupied(k); });
    std::vector<std::vector<std::pair<Index, BlockKind>>> rows(out.particle.size());
    for (std::size_t j = 0; j + 1 < fill.start.size(); ++j)
        for (std::size_t k = fill.start[j]; k < fill.start[j + 1]; ++k) {
            const Index i = fill.row[k], a = out.particle[i], b = out.particle[j];
            const Index block = p.find(a, b);
            const BlockKind kind =
                block >= 0 && system.A.occupied(block) ? classify(system, block, a, b) : BlockKind::Fill;
            rows[i].emplace_back(Index(j), kind);
        }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rows[i].emplace_back(Index(i), BlockKind::Diagonal);
        closeRow(out, rows[i]);
    }
}

/// Brings the particles of a component together, the largest component first.
void groupByComponents(const linalg::FrozenSystem& system, Sparsity& out) {
    linalg::Components components;
    linalg::findComponents(system.A, system.constraints, components);
    std::vector<Index> largestFirst(components.count());
    std::iota(largestFirst.begin(), largestFirst.end(), 1);
    std::stable_sort(largestFirst.begin(), largestFirst.end(),
                     [&](Index a, Index b) { return components.size(a) > components.size(b); });
    std::vector<std::size_t> rank(largestFirst.size() + 1, largestFirst.size());  // of none: the last
    out.componentStart.assign(1, 0);
    for (std::size_t k = 0; k < largestFirst.size(); ++k) {
        rank[largestFirst[k]] = k;
        out.componentStart.push_back(out.componentStart.back() + components.size(largestFirst[k]));
    }
    const auto particleRank = [&](Index particle) { return rank[components.of[particle]]; };
    std::stable_sort(out.particle.begin(), out.particle.end(),
                     [&](Index a, Index b) { return particleRank(a) < particleRank(b); });
}

}  // namespace

Sparsity sparsity(const linalg::FrozenSystem& system, SparsityOf of, factors::Ordering ordering, bool byComponents) {
    const linalg::BlockPattern& p = system.A.pattern();
    Sparsity out{.of = of,
                 .ordering = ordering,
                 .step = system.step,
                 .particle = {},
                 .place = {},
                 .rowStart = {0},
                 .column = {},
                 .kind = {},
                 .componentStart = {}};
    const auto held = [&](Index i) { return system.constraints.ndof(i) == 0; };
    for (const Index i : factors::orderRows(p, ordering))
        if (of != SparsityOf::Reduced || !held(i)) out.particle.push_back(i);
    if (byComponents) groupByComponents(system, out);
    out.place.assign(p.rows, -1);
    for (std::size_t k = 0; k < out.particle.size(); ++k) out.place[out.particle[k]] = Index(k);
    if (of == SparsityOf::Factor) {
        fillFromFactor(system, out);
        return out;
    }
    const bool lower = of == SparsityOf::IncompleteFactor;
    std::vector<std::pair<Index, BlockKind>> row;
    for (std::size_t k = 0; k < out.particle.size(); ++k) {
        const Index i = out.particle[k];
        for (Index b = p.rowStart[i]; b < p.rowStart[i + 1]; ++b) {
            const Index j = p.column[b], at = out.place[j];
            const BlockKind kind = classify(system, b, i, j);
            if (at < 0 || (lower && at > Index(k)) || !inIt(of, kind, held(i) || held(j))) continue;
            row.emplace_back(at, kind);
        }
        closeRow(out, row);
    }
    return out;
}

}  // namespace clothlab::experiments
