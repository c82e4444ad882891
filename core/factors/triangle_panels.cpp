#include "factors/triangle_panels.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "factors/panel_shape.hpp"

// NOLINTBEGIN(readability-identifier-naming): the names of LAPACK and BLAS.
extern "C" {
void dtrtri_(const char* triangle, const char* unit, const int* n, double* a, const int* lda, int* info);
void dtrmm_(const char* side, const char* triangle, const char* transposed, const char* unit, const int* m,
            const int* n, const double* alpha, const double* a, const int* lda, double* b, const int* ldb);
}
// NOLINTEND(readability-identifier-naming)

namespace clothlab::factors {
namespace {

constexpr std::size_t kShares[] = {12, 3, 1};  ///< of all values, for the subtrees of each level
constexpr std::size_t kLeastCut = 1 << 16;     ///< values from which a factor is cut at all
constexpr double kNodeCost = 100, kRowCost = 3, kValueCost = 0.375;

/// Cycles that a node takes in both directions together, roughly: what it is to be there, to gather and scatter a row,
/// to multiply with a value.
double cost(Index columns, Index rows) {
    return kNodeCost + kRowCost * (rows - columns) + kValueCost * double(panelSize(columns, rows));
}

std::span<const int> rowsBelow(const Supernodes& nodes, Index s) {
    const std::size_t columns = std::size_t(nodes.columns[s + 1] - nodes.columns[s]);
    return nodes.row.subspan(nodes.rowStart[s] + columns, nodes.rowStart[s + 1] - nodes.rowStart[s] - columns);
}

/// Supernodes and whom they join: a group has the number of its last one, which lies above the others.
struct Groups {
    std::vector<Index> parent, group;         ///< of each supernode
    std::vector<Index> columns;               ///< of a group, by its number
    std::vector<std::vector<Index>> members;  ///< ascending
};

/// Each supernode, once its children are settled, takes in those that are cheaper as a part of it.
Groups amalgamate(const Supernodes& nodes, Index matrixRows) {
    const auto count = Index(nodes.columns.size()) - 1;
    Groups g{.parent = std::vector<Index>(count, -1),
             .group = std::vector<Index>(count),
             .columns = std::vector<Index>(count),
             .members = std::vector<std::vector<Index>>(count)};
    std::vector<Index> owner(matrixRows);
    std::vector<std::vector<Index>> children(count);
    for (Index s = 0; s < count; ++s) {
        g.columns[s] = nodes.columns[s + 1] - nodes.columns[s];
        std::fill_n(owner.begin() + nodes.columns[s], g.columns[s], s);
    }
    const auto rows = [&](Index s) { return g.columns[s] + Index(rowsBelow(nodes, s).size()); };
    for (Index s = 0; s < count; ++s)
        if (rows(s) > g.columns[s]) children[g.parent[s] = owner[rowsBelow(nodes, s).front()]].push_back(s);
    for (Index s = 0; s < count; ++s) {
        g.group[s] = s;
        std::stable_sort(children[s].begin(), children[s].end(),
                         [&](Index a, Index b) { return g.columns[a] < g.columns[b]; });
        for (const Index c : children[s]) {
            const double apart = cost(g.columns[c], rows(c)) + cost(g.columns[s], rows(s));
            if (apart < cost(g.columns[c] + g.columns[s], g.columns[c] + rows(s))) continue;
            g.columns[s] += g.columns[c];
            g.group[c] = s;
        }
    }
    for (Index s = count - 1; s >= 0; --s) g.group[s] = g.group[g.group[s]];  // a parent comes behind its children
    for (Index s = 0; s < count; ++s) g.members[g.group[s]].push_back(s);
    return g;
}

}  // namespace

void TrianglePanels::analyze(const Supernodes& symbolic, std::span<const int> permutation) {
    order_.assign(permutation.begin(), permutation.end());
    join(symbolic);
    std::size_t size = 0;
    localSize_ = 0;
    for (Node& node : nodes_) {
        node.values = size;
        size += panelSize(node.columns, node.rows);
        localSize_ = std::max(localSize_, 24 * std::size_t(node.columns + 3));
    }
    values_.assign(size, 0.0f);
    cutTasks();
    placeRows();
}

/// Makes a node of each group and orders the columns anew, so that a group's lie together. `order_` is that of the
/// supernodes before.
void TrianglePanels::join(const Supernodes& symbolic) {
    const Groups groups = amalgamate(symbolic, Index(order_.size()));
    const auto count = Index(groups.group.size());
    nodes_.clear();
    members_.clear();
    std::vector<Index> place(order_.size()), nodeOf(count, -1), order;
    for (Index s = 0; s < count; ++s) {
        if (groups.group[s] != s) continue;
        nodeOf[s] = Index(nodes_.size());
        Node node;
        node.firstColumn = Index(order.size());
        node.columns = groups.columns[s];
        node.rows = node.columns + Index(rowsBelow(symbolic, s).size());
        node.parent = groups.parent[s];
        node.firstMember = Index(members_.size());
        for (const Index m : groups.members[s]) {
            const auto source = std::size_t(symbolic.valueStart[m]), local = std::size_t(symbolic.rowStart[m]);
            members_.push_back({symbolic.columns[m + 1] - symbolic.columns[m],
                                symbolic.rowStart[m + 1] - symbolic.rowStart[m], source, local});
            for (Index c = symbolic.columns[m]; c < symbolic.columns[m + 1]; ++c) {
                place[c] = Index(order.size());
                order.push_back(order_[c]);
            }
        }
        node.endMember = Index(members_.size());
        nodes_.push_back(node);
    }
    order_ = std::move(order);
    rowStart_.assign(1, 0);
    row_.clear();
    localRow_.resize(symbolic.row.size());
    for (Index s = 0; s < count; ++s) {
        if (groups.group[s] != s) continue;
        Node& node = nodes_[nodeOf[s]];
        if (node.parent >= 0) node.parent = nodeOf[groups.group[node.parent]];
        for (const Index old : rowsBelow(symbolic, s)) row_.push_back(place[old]);
        const auto first = row_.begin() + rowStart_.back();
        for (const Index m : groups.members[s])
            for (Index r = symbolic.rowStart[m]; r < symbolic.rowStart[m + 1]; ++r) {
                const Index at = place[symbolic.row[r]], column = at - node.firstColumn;
                const bool inside = column < node.columns;
                localRow_[r] = inside ? column : node.columns + Index(std::lower_bound(first, row_.end(), at) - first);
            }
        rowStart_.push_back(Index(row_.size()));
    }
}

/// Level after level the largest subtrees of what is left that have at most a share of all values.
void TrianglePanels::cutTasks() {
    const auto count = Index(nodes_.size());
    const auto countValues = [&](Index s) {
        return (s + 1 < count ? nodes_[s + 1].values : values_.size()) - nodes_[s].values;
    };
    std::vector<std::uint8_t> done(nodes_.size(), 0);
    tasks_.clear();
    levelStart_.assign(1, 0);
    const bool cut = values_.size() >= kLeastCut;
    for (const std::size_t shares : kShares) {
        if (!cut && shares > 1) continue;
        std::vector<std::size_t> weight(nodes_.size(), 0);
        for (Index s = 0; s < count; ++s) {
            weight[s] += countValues(s);
            if (nodes_[s].parent >= 0) weight[nodes_[s].parent] += weight[s];
        }
        std::vector<Index> task(nodes_.size(), -1);
        const auto first = Index(tasks_.size());
        if (shares == 1) tasks_.emplace_back();
        for (Index s = count - 1; s >= 0; --s) {
            if (done[s]) continue;
            const Index parent = nodes_[s].parent;
            if (shares == 1) {
                task[s] = first;
            } else if (parent >= 0 && task[parent] >= 0) {
                task[s] = task[parent];
            } else if (weight[s] <= values_.size() / shares) {
                task[s] = Index(tasks_.size());
                tasks_.emplace_back();
                for (Index k = rowStart_[s]; k < rowStart_[s + 1]; ++k) tasks_.back().above.push_back(row_[k]);
            }
        }
        for (Index s = 0; s < count; ++s)
            if (task[s] >= 0) {
                Task& of = tasks_[task[s]];
                const Index begin = nodes_[s].firstColumn;
                of.nodes.push_back(s);
                if (of.columns.empty() || of.columns.back().second != begin) of.columns.emplace_back(begin, begin);
                of.columns.back().second = begin + nodes_[s].columns;
                done[s] = 1;
            }
        levelStart_.push_back(Index(tasks_.size()));
    }
}

/// Where the rows below of each node lie in `vectors_`, for its task.
void TrianglePanels::placeRows() {
    auto end = Index(order_.size());
    std::vector<Index> place(order_.size());
    for (Task& task : tasks_) {
        task.buffer = end;
        end += Index(task.above.size()) + 1;
    }
    vectors_.assign(4 * std::size_t(end), 0.0f);
    taken_.assign(4 * order_.size(), 0.0f);
    source_.clear();
    for (const Index row : order_) source_.push_back(3 * row);
    source_.resize(order_.size() + kAhead, order_.empty() ? 0 : 3 * order_.back());
    local_.assign(localSize_ * tasks_.size(), 0.0f);
    places_.clear();
    for (const Task& task : tasks_) {
        std::iota(place.begin(), place.end(), 0);
        for (std::size_t k = 0; k < task.above.size(); ++k) place[task.above[k]] = task.buffer + Index(k);
        for (const Index s : task.nodes) {
            Node& node = nodes_[s];
            node.places = places_.size();
            for (Index r = kLanes * node.ownBlocks(); r < kLanes * node.blocks(); ++r)
                places_.push_back(4 * (r < node.columns ? node.firstColumn + r
                                       : r < node.rows  ? place[row_[rowStart_[s] + r - node.columns]]
                                                        : task.buffer + Index(task.above.size())));
        }
    }
}

void TrianglePanels::packNode(const Node& node, const double* values, std::vector<double>& scratch) {
    const int n = node.columns, ld = node.rows, below = ld - n;
    scratch.assign(std::size_t(ld) * n, 0.0);
    double* column = scratch.data();
    for (Index k = node.firstMember; k < node.endMember; ++k) {
        const Member& member = members_[k];
        for (Index c = 0; c < member.columns; ++c, column += ld)
            for (Index r = c; r < member.rows; ++r)
                column[localRow_[member.local + std::size_t(r)]] =
                    values[member.source + std::size_t(c) * member.rows + std::size_t(r)];
    }
    int info = 0;
    dtrtri_("L", "N", &n, scratch.data(), &ld, &info);
    const double minus = -1;
    if (below > 0) dtrmm_("R", "L", "N", "N", &below, &n, &minus, scratch.data(), &ld, scratch.data() + n, &ld);
    float* to = values_.data() + node.values;
    upPanels(n, node.blocks(), [&](Index first, auto blocks, Index inside) {
        const Index r0 = kLanes * first, rows = std::min(kLanes * blocks, ld - r0);
        for (Index c = 0; c < inside; ++c, to += kLanes * blocks) {
            const double* from = scratch.data() + std::size_t(c) * ld + r0;
            for (Index r = 0; r < rows; ++r) to[r] = float(from[r]);
        }
    });
}

void TrianglePanels::pack(const double* values, WorkerPool& pool) {
    pool.forChunks(Index(tasks_.size()), Index(order_.size()), [&](Index t) {
        std::vector<double> scratch;
        for (const Index s : tasks_[t].nodes) packNode(nodes_[s], values, scratch);
    });
}

}  // namespace clothlab::factors
