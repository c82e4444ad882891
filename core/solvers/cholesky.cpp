#include "solvers/cholesky.hpp"

#include "base/stage_timer.hpp"

namespace clothlab::solvers {

void Cholesky::solve(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
                     const SolveControl&, WorkerPool& pool) {
    summary = {};
    StageTimer total, timer;
    const auto breakdown = [&] {
        summary.status = SolveStatus::Breakdown;
        summary.message = factor_.message();
        summary.totalSeconds = total.seconds();
    };
    reduced_.build(system, pool);
    if (reduced_.rows() == 0) {  // everything is prescribed; CHOLMOD has no empty factors
        system.constraints.prescribed(deltaV);
        summary.status = SolveStatus::Converged;
        summary.totalSeconds = total.seconds();
        return;
    }
    if (!factor_.analyze(reduced_.matrix().pattern(), settings_.ordering, settings_.factorization)) return breakdown();
    summary.analyzeSeconds = timer.lap();
    if (!factor_.factorize(reduced_.matrix(), pool)) return breakdown();
    summary.factorSeconds = timer.lap();
    if (!factor_.solve(reduced_.rhs(), y_)) return breakdown();
    reduced_.expand(y_, deltaV);
    summary.applySeconds = timer.lap();
    summary.fill = factor_.fill();
    summary.flops = factor_.flops();
    summary.bytes = factor_.bytes();
    summary.status = deltaV.flat().allFinite() ? SolveStatus::Converged : SolveStatus::NotFinite;
    summary.totalSeconds = total.seconds();
}

}  // namespace clothlab::solvers
