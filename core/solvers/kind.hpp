#pragma once

#include "solvers/settings.hpp"

namespace clothlab::solvers {

enum class SolverKind : int { Mpcg, ReducedPcg, Cholesky, EigenLdlt, CombinedLu, Interface };

static_assert(kUsualSolver == SolverKind::ReducedPcg);

}  // namespace clothlab::solvers
