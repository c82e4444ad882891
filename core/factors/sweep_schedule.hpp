#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"

/// A schedule of the rows of a sparse triangle over threads, and what each row waits for.
///
/// Row i of a forward substitution needs the rows j of its blocks L_ij. With a barrier between levels of independent
/// rows, a sheet of 161 x 161 particles would have some 500 barriers per sweep. Here a thread waits only for the very
/// rows that it needs (Park, Smelyanskiy, Sundaram and Dubey 2014):
///
///     lane 0   grid row 0 ->->->->->->        lane 3 takes grid row 3 once grid row 2 is a few particles ahead,
///     lane 1     grid row 1 ->->->->          and so on: the sweep runs over the sheet as a wave
///     lane 2       grid row 2 ->->
///
/// Up to eight consecutive rows that depend on each other form a task. Tasks are distributed once, when the structure
/// is known: each goes to the lane on which it can begin first, by a simulation with the cost of a block and of a
/// handover between cores. Each lane counts its finished tasks, and a task waits for counters of other lanes. Most
/// waits follow from an earlier one on the same lane and are left out.
///
/// The backward substitution runs the same tasks in reverse. It subtracts the contribution of row i from the rows j of
/// its blocks, so that two rows with a block in one column must keep the order of a single thread: task i waits for the
/// task before it in each column, which includes that of row j itself. So any number of lanes gives the same bits, and
/// both sweeps can follow each other without a barrier.
///
/// A lane belongs to a thread, so that its part of the factor stays in that core's cache. A thread whose lane waits for
/// long takes over another lane whose thread is not running.
namespace clothlab::factors {

class SweepSchedule {
public:
    /// A strictly lower triangle by rows, with columns ascending; domains as in DomainOrder.
    struct Triangle {
        std::span<const Index> rowStart, column, domainStart;
        Index rows() const { return Index(rowStart.size()) - 1; }
    };
    static constexpr int kMostLanes = 32;

    /// At most one lane per thread. No lanes: the rows can only be done one after another.
    void make(const Triangle& triangle, int threads);
    int lanes() const { return int(laneStart_.size()) - 1; }

    /// f(lane, first, end) for all rows, each after those that it depends on. Two calls of one lane never overlap.
    template <class F>
    void down(WorkerPool& pool, F&& f) const {
        run(pool, 1, [&f](Index lane, const Task& task, bool) { f(lane, task.first, task.end); });
    }
    /// down(first, end) for all rows and then up(first, end) in reverse.
    template <class Down, class Up>
    void downAndUp(WorkerPool& pool, Down&& down, Up&& up) const {
        run(pool, 2, [&](Index, const Task& task, bool back) {
            if (back)
                up(task.first, task.end);
            else
                down(task.first, task.end);
        });
    }

    /// Simulated time of one thread over that of the lanes: the limit set by the dependences.
    double speedup() const { return speedup_; }
    std::size_t bytes() const;

private:
    struct Task {
        Index first, end;          ///< rows
        Index firstWait, endWait;  ///< in waits_
    };
    struct Wait {
        Index lane, tasks;  ///< this many tasks of that lane must be done
    };
    struct alignas(64) Progress {
        std::atomic<Index> tasks{0};
        std::atomic<bool> taken{false};  ///< by a thread
    };
    struct Graph;
    std::vector<Index> handOut(const Graph& graph, const Triangle& triangle, Index lanes);
    void collectWaits(const Graph& graph, const std::vector<Index>& laneOf, Index lanes);

    Index countTasks(Index lane, int sweeps) const { return sweeps * (laneStart_[lane + 1] - laneStart_[lane]) / 2; }
    template <class F>
    void run(WorkerPool& pool, int sweeps, F&& f) const;
    template <class F>
    void workFrom(Index own, int sweeps, F& f) const;
    template <class F>
    bool advance(Index lane, int sweeps, int patience, F& f) const;
    bool ready(const Task& task, int patience, Index* seen) const;

    std::vector<Index> laneStart_{0};  ///< in tasks_, and the end
    std::vector<Task> tasks_;          ///< lane after lane: down, then up
    std::vector<Wait> waits_;
    std::unique_ptr<Progress[]> progress_;
    double speedup_ = 1;
};

template <class F>
void SweepSchedule::run(WorkerPool& pool, int sweeps, F&& f) const {
    for (Index lane = 0; lane < lanes(); ++lane) progress_[lane].tasks.store(0, std::memory_order_relaxed);
    pool.forChunks(lanes(), pool.inlineRows(), [&](Index lane) { workFrom(lane, sweeps, f); });
}

/// Runs its own lane, and others it takes over while it waits. Returns when each lane is done or has a thread.
template <class F>
void SweepSchedule::workFrom(Index own, int sweeps, F& f) const {
    constexpr int kPatience = 100, kRoundsBeforeYield = 4;
    for (int round = 0;; ++round) {
        bool unfinished = false, advanced = false;
        for (Index k = 0; k < lanes(); ++k) {
            const Index lane = (own + k) % lanes();
            Progress& progress = progress_[lane];
            if (progress.tasks.load(std::memory_order_acquire) == countTasks(lane, sweeps)) continue;
            if (progress.taken.load(std::memory_order_relaxed) ||
                progress.taken.exchange(true, std::memory_order_acquire)) {
                unfinished |= k == 0;
                continue;
            }
            const Index before = progress.tasks.load(std::memory_order_relaxed);
            const bool done = advance(lane, sweeps, k == 0 ? kPatience : 0, f);
            advanced |= progress.tasks.load(std::memory_order_relaxed) > before;
            unfinished |= !done;
            progress.taken.store(false, std::memory_order_release);
            if (k > 0 && advanced) break;  // back to its own
        }
        if (!unfinished && !advanced) return;
        if (advanced) round = 0;
        if (round >= kRoundsBeforeYield) std::this_thread::yield();
    }
}

/// Whether the lane is done.
template <class F>
bool SweepSchedule::advance(Index lane, int sweeps, int patience, F& f) const {
    std::atomic<Index>& progress = progress_[lane].tasks;
    const Index end = countTasks(lane, sweeps), down = countTasks(lane, 1);
    Index seen[kMostLanes] = {};
    for (Index k = progress.load(std::memory_order_relaxed); k < end;) {
        const Task& task = tasks_[laneStart_[lane] + k];
        if (!ready(task, patience, seen)) return false;
        f(lane, task, k >= down);
        progress.store(++k, std::memory_order_release);
    }
    return true;
}

}  // namespace clothlab::factors
