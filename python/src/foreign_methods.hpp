#pragma once

#include <memory>

#include "foreign.hpp"
#include "preconditioners/preconditioner.hpp"
#include "solvers/solver.hpp"

/// Methods of the core that call a Python object. They acquire the interpreter's lock for each call, and report an
/// exception of the object as a failure of the method.
namespace clothlab::python {

std::unique_ptr<preconditioners::Preconditioner> makeForeignPreconditioner(Place& place);
std::unique_ptr<solvers::Solver> makeForeignSolver(Place& place, const solvers::SolverSettings& settings);

}  // namespace clothlab::python
