#pragma once

#include "preconditioners/settings.hpp"
#include "solvers/settings.hpp"

namespace clothlab::solvers {

/// The method that solves a system: a solver, and its preconditioner if it uses one.
struct Method {
    SolverSettings solver = {};
    preconditioners::PreconditionerSettings preconditioner = {};

    bool operator==(const Method&) const = default;
};

}  // namespace clothlab::solvers
