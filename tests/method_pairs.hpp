#pragma once

#include <fmt/format.h>

#include <vector>

#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/solver.hpp"

namespace clothlab::testing {

/// A solver and a preconditioner that go together, each as it is by default but for the kind.
struct NamedMethod {
    solvers::Method method;
    std::string name;  ///< "mpcg block-jacobi", "cholesky"

    bool iterates() const { return solvers::usesPreconditioner(method.solver.kind); }
};

/// Every pair that the catalogues let go together; a direct solver, which takes no preconditioner, once.
inline std::vector<NamedMethod> allMethods() {
    std::vector<NamedMethod> all;
    for (const solvers::SolverEntry& solver : solvers::catalogue())
        for (const preconditioners::PreconditionerEntry& with : preconditioners::catalogue()) {
            const solvers::Method method{{.kind = solver.kind}, {.kind = with.kind}};
            if (!solvers::findRefusal(method).reason.empty()) continue;
            const bool direct = !solver.traits.needsPreconditioner;
            all.push_back({method, direct ? std::string(solver.key) : fmt::format("{} {}", solver.key, with.key)});
            if (direct) break;
        }
    return all;
}

/// One solve of a frozen system, from zero.
inline solvers::SolveSummary solveFrozen(const linalg::FrozenSystem& system, const solvers::SolverSettings& settings,
                                         const preconditioners::PreconditionerSettings& with, linalg::BlockVector& dv) {
    linalg::LinearSystem view = system.view();
    view.previous = nullptr;
    solvers::SolveSummary summary;
    WorkerPool pool;
    solvers::makeSolver(settings, with)->solve(view, dv, summary, {}, pool);
    return summary;
}

/// tell(words, dv) of every method, each from zero.
template <class Tell>
void solveByEveryMethod(const linalg::FrozenSystem& system, double tolerance, Tell&& tell) {
    for (const NamedMethod& each : allMethods()) {
        solvers::SolverSettings solver = each.method.solver;
        solver.tolerance = tolerance;
        solver.maxIterations = 20'000;
        linalg::BlockVector dv;
        const auto summary = solveFrozen(system, solver, each.method.preconditioner, dv);
        tell(fmt::format("{}: {} {}", each.name, enumKey(summary.status), summary.message), dv);
    }
}

}  // namespace clothlab::testing
