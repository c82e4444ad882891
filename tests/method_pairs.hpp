#pragma once

#include <algorithm>

#include "preconditioners/catalogue.hpp"
#include "solvers/catalogue.hpp"

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

}  // namespace clothlab::testing
