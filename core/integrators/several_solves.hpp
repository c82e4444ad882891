#pragma once

#include <utility>

#include "solvers/solver.hpp"

namespace clothlab::integrators {

/// The summary of a step with several solves is that of the last one, with the work of all. Adds the work of the solves
/// before.
inline void addWork(solvers::SolveSummary& last, const solvers::SolveSummary& before) {
    last.analyzeSeconds += before.analyzeSeconds;
    last.factorSeconds += before.factorSeconds;
    last.applySeconds += before.applySeconds;
    last.multiplySeconds += before.multiplySeconds;
    last.totalSeconds += before.totalSeconds;
    last.decomposeSeconds += before.decomposeSeconds;
    last.rowIterations += before.rowIterations;
}

/// A step that is solved again because contacts have changed starts from its last result: iterations, residuals and
/// components are those of its first solve, for comparisons of methods; the verdict is that of the last.
inline void keepFirst(solvers::SolveSummary& first, solvers::SolveSummary& last) {
    last.moreIterations = first.moreIterations + last.iterations;
    last.iterations = first.iterations;
    last.doubleIterations = first.doubleIterations;
    last.history = std::move(first.history);
    last.rhsNorm = first.rhsNorm;
    last.rowIterations = first.rowIterations;
    last.components = std::move(first.components);
    last.cutPairs = first.cutPairs;
}

}  // namespace clothlab::integrators
