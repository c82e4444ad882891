#include <algorithm>

#include "factors/makespan.hpp"
#include "factors/multifrontal.hpp"

namespace clothlab::factors {
namespace {

constexpr Index kNoTask = -1;
constexpr int kThreadsOfTwoLevels = 4;

/// Flops of a front, to the leading order: Cholesky of F11, the triangular solve and the update.
double frontWork(double columns, double below) {
    return columns * (columns * columns / 3 + columns * below + below * below);
}

}  // namespace

/// Makes tasks of the largest subtrees of what has none yet that have at most so much work, largest first; the number
/// of the task behind them.
Index Multifrontal::cutLevel(double mostWork, Index firstTask, std::vector<Index>& taskOf) const {
    const auto count = Index(fronts_.size());
    std::vector<double> work(fronts_.size(), 0.0);  // that is left of a subtree
    for (Index s = 0; s < count; ++s) {
        if (taskOf[s] == kNoTask) work[s] += frontWork(fronts_[s].columns, fronts_[s].below());
        if (fronts_[s].parent >= 0) work[fronts_[s].parent] += work[s];
    }
    std::vector<Index> roots;
    for (Index s = 0; s < count; ++s) {
        const Index parent = fronts_[s].parent;
        if (taskOf[s] == kNoTask && work[s] <= mostWork && (parent < 0 || work[parent] > mostWork)) roots.push_back(s);
    }
    std::ranges::stable_sort(roots, [&](Index a, Index b) { return work[a] > work[b]; });
    std::vector<Index> task(fronts_.size(), kNoTask);
    for (const Index root : roots) task[root] = firstTask++;
    for (Index s = count - 1; s >= 0; --s) {
        if (taskOf[s] != kNoTask) continue;
        if (task[s] == kNoTask && fronts_[s].parent >= 0) task[s] = task[fronts_[s].parent];
        taskOf[s] = task[s];
    }
    return firstTask;
}

/// Cuts the elimination tree. Subtrees of at most a quarter of a thread's share are tasks; where there are many
/// threads, so are those of at most a whole share of what is left. The rest lies above them.
void Multifrontal::schedule(int threads) {
    if (threads == scheduledThreads_) return;
    scheduledThreads_ = threads;
    double total = 0;
    for (const Front& front : fronts_) total += frontWork(front.columns, front.below());
    std::vector<double> shares{threads == 1 ? 1 : 0.25 / threads};
    if (threads >= kThreadsOfTwoLevels) shares.push_back(1.0 / threads);
    std::vector<Index> task(fronts_.size(), kNoTask);
    levelStart_.assign(1, 0);
    // A whole tree that is one task has all of the work, summed in another order.
    for (const double share : shares)
        levelStart_.push_back(cutLevel(share * total * (1 + 1e-12), levelStart_.back(), task));
    const Index tasks = levelStart_.back();

    std::vector<std::vector<Index>> lists(std::size_t(tasks) + 1);
    for (Index s = 0; s < Index(fronts_.size()); ++s) lists[task[s] == kNoTask ? tasks : task[s]].push_back(s);
    order_.clear();
    taskStart_.assign(1, 0);
    std::size_t arena = 0;
    for (const auto& list : lists) {
        order_.insert(order_.end(), list.begin(), list.end());
        taskStart_.push_back(Index(order_.size()));
        arena = placeUpdates(list, arena);
    }
    arenaSize_ = arena;
    failed_.assign(tasks, -1);
}

/// First fit: an update matrix takes the lowest gap between those that still live. Returns the end of the region.
std::size_t Multifrontal::placeUpdates(std::span<const Index> nodes, std::size_t base) {
    std::vector<Index> live;  // by offset
    std::size_t end = base;
    for (const Index node : nodes) {
        Front& front = fronts_[node];
        const auto size = std::size_t(front.below()) * front.below();
        std::size_t offset = base;
        auto at = live.begin();
        for (; at != live.end() && fronts_[*at].update < offset + size; ++at)
            offset = fronts_[*at].update + std::size_t(fronts_[*at].below()) * fronts_[*at].below();
        front.update = offset;
        end = std::max(end, offset + size);
        live.insert(at, node);
        std::erase_if(live, [&](Index other) { return fronts_[other].parent == node || fronts_[other].below() == 0; });
    }
    return end;
}

/// Tasks as the pool takes them. The fronts above are taken for perfectly cut, up to a thread for each tile of their
/// rows.
double Multifrontal::speedup(int threads) {
    schedule(threads);
    const auto taskWork = [&](Index task) {
        double work = 0;
        for (Index k = taskStart_[task]; k < taskStart_[task + 1]; ++k)
            work += frontWork(fronts_[order_[k]].columns, fronts_[order_[k]].below());
        return work;
    };
    double total = 0, time = 0;
    for (Index level = 0; level < levels(); ++level) {
        std::vector<double> costs;
        for (Index task = levelStart_[level]; task < levelStart_[level + 1]; ++task) costs.push_back(taskWork(task));
        for (const double cost : costs) total += cost;
        time += makespan(costs, threads);
    }
    for (Index k = taskStart_[tasks()]; k < taskStart_[tasks() + 1]; ++k) {
        const Front& front = fronts_[order_[k]];
        const double work = frontWork(front.columns, front.below());
        total += work;
        time += work / std::min(threads, int((front.rows + kTile - 1) / kTile));
    }
    return time > 0 ? total / time : 1;
}

}  // namespace clothlab::factors
