#pragma once

#include <optional>
#include <vector>

#include "base/stage_timer.hpp"
#include "base/statistics.hpp"
#include "solvers/solver.hpp"

/// Repeated solves of one system, with the times of their stages, for races and tables.
namespace clothlab::experiments {

/// The system without the start from the previous step: each solve begins at zero.
linalg::LinearSystem fromZero(const linalg::FrozenSystem& system);

/// ms, the cost of a step: without symbolic analysis, which is kept while the pattern lasts.
double solveMs(const solvers::SolveSummary& summary);

/// The times of the counted solves, ms each.
struct StageTimes {
    std::vector<double> total;                   ///< without symbolic analysis
    std::vector<double> loop;                    ///< also without set-up
    std::vector<double> setUp, multiply, apply;  ///< numeric factors; products with A; preconditioner

    void add(const solvers::SolveSummary& summary);
};

/// One solver on one system. Its results are those of the last solve.
class TimedSolve {
public:
    /// `earlier`: null, or the system of the previous step, from which a lagged method takes its factor.
    TimedSolve(solvers::Solver& solver, const linalg::LinearSystem& system, const linalg::LinearSystem* earlier,
               WorkerPool& pool);

    /// Call it before each solve: with an earlier system, the solver forgets everything and solves that one. Returns
    /// the seconds of its symbolic analysis, which the next solve then saves.
    double bringFactor(const std::stop_token& stop);
    const solvers::SolveSummary& solve(const solvers::SolveControl& control);
    /// Adds the last solve to `times`.
    void count() { times.add(summary_); }

    StageTimes times;
    linalg::BlockVector deltaV;

private:
    solvers::Solver& solver_;
    linalg::LinearSystem system_;
    std::optional<linalg::LinearSystem> earlier_;
    WorkerPool& pool_;
    solvers::SolveSummary summary_;
};

struct Timing {
    solvers::SolveStatus status = solvers::SolveStatus::NotRun;
    int iterations = 0;
    double solveMs = 0, analyzeMs = 0;  ///< medians; symbolic analysis apart
    double loopMs = 0;                  ///< of the solve, without set-up
    int factorAge = 0;
    double trueRelativeResidual = -1;
    linalg::BlockVector deltaV;

    double msPerIteration() const { return iterations > 0 ? loopMs / iterations : 0; }
};

/// Median of `runs` solves after an uncounted one; a solve of more than three seconds is made once. `earlier` is solved
/// before each, so that lagged methods have a factor.
Timing timeSolve(solvers::Solver& solver, const linalg::LinearSystem& system, int runs, WorkerPool& pool,
                 const std::stop_token& stop = {}, const linalg::LinearSystem* earlier = nullptr);

/// The median of this many runs after an uncounted one.
template <class F>
double medianMs(int runs, F&& work) {
    std::vector<double> times;
    for (int run = 0; run <= runs; ++run) {
        const StageTimer timer;
        work();
        if (run > 0) times.push_back(1e3 * timer.seconds());
    }
    return median(std::move(times));
}

}  // namespace clothlab::experiments
