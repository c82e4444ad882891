#include "factors/sweep_schedule.hpp"

#include <algorithm>
#include <array>
#include <cassert>

#include "base/simd.hpp"

namespace clothlab::factors {
namespace {

constexpr Index kRowsPerTask = 8;
/// Costs in units of one block: of a row besides its blocks, and of a signal from one core to another.
constexpr double kBesideBlocks = 2, kHandover = 30;

/// Numbers the lanes that have tasks anew, in their order; how many there are. More lanes than the dependences can keep
/// busy have none.
Index closeGaps(std::vector<Index>& laneOf, Index lanes) {
    std::vector<Index> number(lanes, 0);
    for (const Index lane : laneOf) number[lane] = 1;
    Index used = 0;
    for (Index& each : number) each = each > 0 ? used++ : -1;
    for (Index& lane : laneOf) lane = number[lane];
    return used;
}

}  // namespace

/// Tasks in the order of elimination, and which of the earlier ones each depends on.
struct SweepSchedule::Graph {
    std::vector<Index> firstRow;  ///< per task, and the end
    std::vector<double> cost;
    std::vector<Index> start, before;  ///< per task: those before it that it waits for
    std::vector<Index> domain;         ///< of each task; the separators' have the number of domains

    explicit Graph(const Triangle& triangle) {
        cut(triangle);
        connect(triangle);
    }
    Index tasks() const { return Index(cost.size()); }
    std::span<const Index> of(Index task) const {
        return std::span(before).subspan(std::size_t(start[task]), std::size_t(start[task + 1] - start[task]));
    }

private:
    /// A task ends where a row depends on none of its rows: where the next row of a grid begins, which need not wait
    /// for the end of this one.
    void cut(const Triangle& t) {
        Index d = 0;
        for (Index k = 0; k < t.rows(); ++k) {
            const Index end = t.rowStart[k + 1];
            bool begins = k == 0 || k - firstRow.back() == kRowsPerTask || end == t.rowStart[k] ||
                          t.column[end - 1] < firstRow.back();
            for (; d + 1 < Index(t.domainStart.size()) && k >= t.domainStart[d + 1]; ++d) begins = true;
            if (begins) {
                firstRow.push_back(k);
                cost.push_back(0);
                domain.push_back(d);
            }
            cost.back() += kBesideBlocks + double(end - t.rowStart[k]);
        }
        firstRow.push_back(t.rows());
    }

    void connect(const Triangle& t) {
        std::vector<Index> last(t.rows());  // per column: the last task with a block in it, or its own
        std::vector<Index> waiter(tasks(), -1);
        start.assign(1, 0);
        for (Index task = 0; task < tasks(); ++task) {
            for (Index k = firstRow[task]; k < firstRow[task + 1]; ++k) {
                last[k] = task;
                for (Index s = t.rowStart[k]; s < t.rowStart[k + 1]; ++s) {
                    Index& in = last[t.column[s]];
                    if (in != task && waiter[in] != task) {
                        waiter[in] = task;
                        before.push_back(in);
                    }
                    in = task;
                }
            }
            start.push_back(Index(before.size()));
        }
    }
};

void SweepSchedule::make(const Triangle& triangle, int threads) {
    const Index lanes = std::min(threads, kMostLanes);
    laneStart_.assign(1, 0);
    tasks_.clear();
    waits_.clear();
    speedup_ = 1;
    if (lanes <= 1 || triangle.rows() == 0) return;
    const Graph graph(triangle);
    std::vector<Index> laneOf = handOut(graph, triangle, lanes);
    const Index used = closeGaps(laneOf, lanes);
    if (used <= 1) return;
    collectWaits(graph, laneOf, used);
    progress_ = std::make_unique<Progress[]>(std::size_t(used));
}

/// A domain has a share of the lanes, the separators have all. A task stays on the lane of the one before it unless
/// another could begin it sooner by more than a handover.
std::vector<Index> SweepSchedule::handOut(const Graph& graph, const Triangle& triangle, Index lanes) {
    const Index domains = Index(triangle.domainStart.size()) - 1;
    std::vector<Index> laneOf(graph.tasks());
    std::vector<double> end(graph.tasks()), free(lanes, 0.0);
    double total = 0;
    const auto startOn = [&](Index lane, Index task) {
        double start = free[lane];
        for (const Index before : graph.of(task))
            start = std::max(start, end[before] + (laneOf[before] == lane ? 0 : kHandover));
        return start;
    };
    for (Index task = 0; task < graph.tasks(); ++task) {
        const Index d = graph.domain[task];
        const Index from = d < domains ? std::min(lanes - 1, lanes * d / domains) : 0;
        const Index to = d < domains ? std::max(from + 1, lanes * (d + 1) / domains) : lanes;
        Index best = from;
        double soonest = startOn(from, task);
        for (Index lane = from + 1; lane < to; ++lane)
            if (const double start = startOn(lane, task); start < soonest) {
                soonest = start;
                best = lane;
            }
        if (const auto before = graph.of(task); task > 0 && std::ranges::find(before, task - 1) != before.end())
            if (const double start = startOn(laneOf[task - 1], task); start <= soonest + kHandover) {
                soonest = start;
                best = laneOf[task - 1];
            }
        laneOf[task] = best;
        end[task] = free[best] = soonest + graph.cost[task];
        total += graph.cost[task];
    }
    speedup_ = total / *std::ranges::max_element(free);
    return laneOf;
}

/// Down, task n of a lane waits for the last on each other lane that it depends on. Up, the lanes run backwards, and
/// it waits for the first on each other lane that depends on it.
void SweepSchedule::collectWaits(const Graph& graph, const std::vector<Index>& laneOf, Index lanes) {
    const Index count = graph.tasks();
    std::vector<std::vector<Index>> on(lanes);
    std::vector<Index> place(count);  // of a task on its lane
    for (Index task = 0; task < count; ++task) {
        std::vector<Index>& lane = on[laneOf[task]];
        place[task] = Index(lane.size());
        lane.push_back(task);
    }
    std::vector<Index> afterStart(count + 1, 0), after(graph.before.size());
    for (const Index before : graph.before) ++afterStart[before + 1];
    for (Index task = 0; task < count; ++task) afterStart[task + 1] += afterStart[task];
    std::vector<Index> next(afterStart.begin(), afterStart.end() - 1);
    for (Index task = 0; task < count; ++task)
        for (const Index before : graph.of(task)) after[next[before]++] = task;

    std::array<Index, kMostLanes> known{}, wanted{};
    const auto append = [&](Index task, Index own, std::span<const Index> others, auto tasksNeeded) {
        wanted.fill(0);
        for (const Index other : others)
            if (const Index lane = laneOf[other]; lane != own)
                wanted[lane] = std::max(wanted[lane], tasksNeeded(other));
        const auto first = Index(waits_.size());
        for (Index lane = 0; lane < lanes; ++lane)
            if (wanted[lane] > known[lane]) waits_.push_back({lane, known[lane] = wanted[lane]});
        tasks_.push_back({graph.firstRow[task], graph.firstRow[task + 1], first, Index(waits_.size())});
    };
    for (Index lane = 0; lane < lanes; ++lane) {
        known.fill(0);
        for (const Index task : on[lane])
            append(task, lane, graph.of(task), [&](Index other) { return place[other] + 1; });
        for (auto task = on[lane].rbegin(); task != on[lane].rend(); ++task) {
            const auto others = std::span(after).subspan(std::size_t(afterStart[*task]),
                                                         std::size_t(afterStart[*task + 1] - afterStart[*task]));
            append(*task, lane, others,
                   [&](Index other) { return 2 * Index(on[laneOf[other]].size()) - place[other]; });
        }
        laneStart_.push_back(Index(tasks_.size()));
    }
}

bool SweepSchedule::ready(const Task& task, int patience, Index* seen) const {
    for (Index w = task.firstWait; w < task.endWait; ++w) {
        const Wait& wait = waits_[w];
        if (seen[wait.lane] >= wait.tasks) continue;
        const std::atomic<Index>& progress = progress_[wait.lane].tasks;
        while ((seen[wait.lane] = progress.load(std::memory_order_acquire)) < wait.tasks) {
            if (patience-- <= 0) return false;
            simd::pause();
        }
    }
    return true;
}

std::size_t SweepSchedule::bytes() const {
    return tasks_.size() * sizeof(Task) + waits_.size() * sizeof(Wait) + std::size_t(lanes()) * sizeof(Progress);
}

}  // namespace clothlab::factors
