#include "experiments/systems/timed_solve.hpp"

#include <algorithm>

#include "solvers/yardstick.hpp"

namespace clothlab::experiments {

linalg::LinearSystem fromZero(const linalg::FrozenSystem& system) {
    linalg::LinearSystem view = system.view();
    view.previous = nullptr;
    return view;
}

double solveMs(const solvers::SolveSummary& summary) { return 1e3 * (summary.totalSeconds - summary.analyzeSeconds); }

void StageTimes::add(const solvers::SolveSummary& summary) {
    total.push_back(solveMs(summary));
    loop.push_back(total.back() - 1e3 * summary.factorSeconds);
    setUp.push_back(1e3 * summary.factorSeconds);
    multiply.push_back(1e3 * summary.multiplySeconds);
    apply.push_back(1e3 * summary.applySeconds);
}

TimedSolve::TimedSolve(solvers::Solver& solver, const linalg::LinearSystem& system, const linalg::LinearSystem* earlier,
                       WorkerPool& pool)
    : solver_(solver), system_(system), pool_(pool) {
    if (earlier) earlier_.emplace(*earlier);
}

double TimedSolve::bringFactor(const std::stop_token& stop) {
    if (!earlier_) return 0;
    solvers::SolveSummary before;
    solver_.forget();
    solver_.solve(*earlier_, deltaV, before, {.stop = stop}, pool_);
    return before.analyzeSeconds;
}

const solvers::SolveSummary& TimedSolve::solve(const solvers::SolveControl& control) {
    solver_.solve(system_, deltaV, summary_, control, pool_);
    return summary_;
}

Timing timeSolve(solvers::Solver& solver, const linalg::LinearSystem& system, int runs, WorkerPool& pool,
                 const std::stop_token& stop, const linalg::LinearSystem* earlier) {
    constexpr double kLongSeconds = 3;
    TimedSolve timed(solver, system, earlier, pool);
    Timing out;
    for (int run = 0; run <= runs && !stop.stop_requested(); ++run) {
        const double analyzedBefore = timed.bringFactor(stop);
        const solvers::SolveSummary& summary = timed.solve({.stop = stop});
        const bool last = summary.totalSeconds > kLongSeconds;
        // The symbolic analysis happens in the first run alone, so that its one time counts.
        if (run == 0) out.analyzeMs = 1e3 * std::max(analyzedBefore, summary.analyzeSeconds);
        if (run > 0 || last) timed.count();
        out.status = summary.status;
        out.iterations = summary.iterations;
        out.factorAge = summary.factorAge;
        if (last) break;
    }
    out.solveMs = median(std::move(timed.times.total));
    out.loopMs = median(std::move(timed.times.loop));
    out.deltaV = std::move(timed.deltaV);
    if (solvers::acceptable(out.status)) out.trueRelativeResidual = solvers::trueRelativeResidual(system, out.deltaV);
    return out;
}

}  // namespace clothlab::experiments
