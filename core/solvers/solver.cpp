#include "solvers/solver.hpp"

#include "solvers/verdict.hpp"

namespace clothlab::solvers {

void Solver::solve(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
                   const SolveControl& control, WorkerPool& pool) {
    summary = {};
    if (std::string fault = faultOf(system); !fault.empty()) {
        summary.status = SolveStatus::Breakdown;
        summary.message = std::move(fault);
        return;
    }
    run(system, deltaV, summary, control, pool);
}

}  // namespace clothlab::solvers
