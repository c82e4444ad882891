#pragma once

#include <optional>
#include <vector>

#include "base/stage_timer.hpp"
#include "base/statistics.hpp"
#include "solvers/solver.hpp"

/// Solves of one system again and again, with the times of their stages: what races and tables report.
namespace clothlab::experiments {

/// Without the start that the step before left: each solve begins at zero.
linalg::LinearSystem fromZero(const linalg::FrozenSystem& system);

/// ms, without symbolic analysis, which is kept while the pattern lasts: what a step pays.
double solveMs(const solvers::SolveSummary& summary);

/// Of the solves that were counted, ms each.
struct StageTimes {
    std::vector<double> total;                   ///< without symbolic analysis
    std::vector<double> loop;                    ///< without set-up either
    std::vector<double> setUp, multiply, apply;  ///< numeric factors; products with A; preconditioner

    void add(const solvers::SolveSummary& summary);
};

/// One solver on one system. What a solve leaves behind is that of the last one.
class TimedSolve {
public:
    /// `earlier`: null, or the system of the step before, from which a lagged method has its factor.
    TimedSolve(solvers::Solver& solver, const linalg::LinearSystem& system, const linalg::LinearSystem* earlier,
               WorkerPool& pool);

    /// To be called before each solve: with an earlier system, the solver forgets all and solves that one. Returns the
    /// seconds of its symbolic analysis, which is then not the next solve's.
    double bringFactor(const std::stop_token& stop);
    const solvers::SolveSummary& solve(const solvers::SolveControl& control);
    /// The last solve is one of `times`.
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

/// Median of `runs` solves after one that is not counted; a solve of more than three seconds is taken once. `earlier`
/// is solved before each, so that lagged methods bring a factor.
Timing timeSolve(solvers::Solver& solver, const linalg::LinearSystem& system, int runs, WorkerPool& pool,
                 const std::stop_token& stop = {}, const linalg::LinearSystem* earlier = nullptr);

/// Of so many runs after one that is not counted.
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
