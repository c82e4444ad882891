#pragma once

#include "preconditioners/settings.hpp"
#include "solvers/settings.hpp"

namespace clothlab::solvers {

/// What solves a system: a solver, and its preconditioner where it takes one.
struct Method {
    SolverSettings solver = {};
    preconditioners::PreconditionerSettings preconditioner = {};

    bool operator==(const Method&) const = default;
};

}  // namespace clothlab::solvers
