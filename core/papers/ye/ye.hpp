#pragma once

#include <fmt/format.h>

#include <array>

#include "papers/stepped_system.hpp"

/// What tables 1 and 2 of [Y] (Ye, Webber, Wang 2009) have in common.
namespace clothlab::simulation::ye {

inline constexpr double kTolerance = 1e-3;                    ///< assumed: the paper prints none
inline constexpr std::array kStiffness{60.0, 600.0, 6000.0};  ///< N/m, of the stretch springs

inline Method conjugateGradients(solvers::SolverKind solver, preconditioners::PreconditionerKind preconditioner) {
    return {{.kind = solver, .tolerance = kTolerance, .stopping = solvers::Stopping::PNorm, .maxIterations = 5000},
            {.kind = preconditioner}};
}

inline std::vector<std::string> meshSettings(int side, double dtMs, double stiffness) {
    std::vector<std::string> sets = fastStepping();
    sets.push_back(fmt::format("cloth.rows={}", side));
    sets.push_back(fmt::format("cloth.columns={}", side));
    sets.push_back(fmt::format("integrator.dt={:g}", 1e-3 * dtMs));
    sets.push_back(fmt::format("material.stretch_stiffness={:g}", stiffness));
    return sets;
}

}  // namespace clothlab::simulation::ye
