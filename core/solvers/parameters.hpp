#pragma once

#include <string_view>
#include <vector>

#include "preconditioners/settings.hpp"
#include "solvers/settings.hpp"

/// Which keys of a settings table mean something to the method that is chosen in it, in the order in which a reader
/// wants them: what a panel shows, and by what a race tells two variants apart.
namespace clothlab::solvers {

/// Of a direct solver how it factors; of CG solvers how the matrix is kept (accuracy is no part of the method).
std::vector<std::string_view> parametersOf(const SolverSettings& settings);

std::vector<std::string_view> parametersOf(const preconditioners::PreconditionerSettings& settings);

}  // namespace clothlab::solvers
