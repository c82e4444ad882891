#pragma once

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

}  // namespace clothlab::integrators
