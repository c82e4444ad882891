#pragma once

#include <utility>

#include "solvers/solver.hpp"

namespace clothlab::integrators {

/// Of a step that solves more than once the summary is that of the last solve; its work is that of all. Adds what the
/// solves before took.
inline void addWork(solvers::SolveSummary& last, const solvers::SolveSummary& before) {
    last.analyzeSeconds += before.analyzeSeconds;
    last.factorSeconds += before.factorSeconds;
    last.applySeconds += before.applySeconds;
    last.multiplySeconds += before.multiplySeconds;
    last.totalSeconds += before.totalSeconds;
    last.decomposeSeconds += before.decomposeSeconds;
    last.rowIterations += before.rowIterations;
}

/// A step that is solved again because contacts have changed starts from what it had: iterations, residuals and
/// components are those of its first solve, by which methods compare; the verdict is that of the last.
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
