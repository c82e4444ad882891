#include "solvers/solver.hpp"

#include "base/stage_timer.hpp"
#include "solvers/verdict.hpp"

namespace clothlab::solvers {

void Solver::solve(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
                   const SolveControl& control, WorkerPool& pool) {
    summary = {};
    if (std::string fault = describeFault(system); !fault.empty()) {
        summary.status = SolveStatus::Breakdown;
        summary.message = std::move(fault);
        return;
    }
    StageTimer total;
    run(system, deltaV, summary, control, pool);
    if (summary.totalSeconds == 0) summary.totalSeconds = total.seconds();
}

}  // namespace clothlab::solvers
