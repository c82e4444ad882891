#pragma once

#include <memory>

#include "foreign.hpp"
#include "preconditioners/preconditioner.hpp"
#include "solvers/solver.hpp"

/// The core's side of an object of Python. They take the interpreter's lock for each call; nothing that the object
/// raises leaves them, it is told as a failure of the method.
namespace clothlab::python {

std::unique_ptr<preconditioners::Preconditioner> makeForeignPreconditioner(Place& place);
std::unique_ptr<solvers::Solver> makeForeignSolver(Place& place, const solvers::SolverSettings& settings);

}  // namespace clothlab::python
