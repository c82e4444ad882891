#pragma once

#include <fmt/format.h>

#include <algorithm>

#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/solver.hpp"

namespace clothlab::testing {

/// How many preconditioners, each as it is by default, the solver takes; a direct one ignores them all alike.
inline int partnersOf(const solvers::SolverEntry& solver) {
    return int(
        std::ranges::count_if(preconditioners::catalogue(), [&](const preconditioners::PreconditionerEntry& row) {
            return solvers::refusal(solver.kind, {.kind = row.kind}).empty();
        }));
}

/// The pairs of a solver and a preconditioner that the catalogues let go together.
inline int methodPairs(bool iterativeAlone = false) {
    int pairs = 0;
    for (const solvers::SolverEntry& solver : solvers::builtInCatalogue().entries())
        if (!iterativeAlone || solver.traits.needsPreconditioner) pairs += partnersOf(solver);
    return pairs;
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

/// tell(words, dv) of every pair of a solver and a preconditioner that go together, each from zero; the caller
/// compares their number, which is returned, with methodPairs().
template <class Tell>
int solveByEveryPair(const linalg::FrozenSystem& system, double tolerance, Tell&& tell) {
    int pairs = 0;
    for (const solvers::SolverEntry& solver : solvers::builtInCatalogue().entries())
        for (const preconditioners::PreconditionerEntry& with : preconditioners::catalogue()) {
            if (!solvers::refusal(solver.kind, {.kind = with.kind}).empty()) continue;
            linalg::BlockVector dv;
            const auto summary =
                solveFrozen(system, {.kind = solver.kind, .tolerance = tolerance, .maxIterations = 20'000},
                            {.kind = with.kind}, dv);
            ++pairs;
            tell(fmt::format("{} {}: {} {}", solver.key, with.key, enumKey(summary.status), summary.message), dv);
        }
    return pairs;
}

}  // namespace clothlab::testing
