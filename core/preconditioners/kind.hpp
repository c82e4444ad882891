#pragma once

#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {

enum class PreconditionerKind : int {
    Identity,
    Jacobi,
    BlockJacobi,
    ConstrainedBlock,
    Ssor,
    IncompleteCholesky,
    IncompletePoisson,
    MatrixCore,
    LaggedCholesky,
    Chebyshev,
};

static_assert(kUsualPreconditioner == PreconditionerKind::BlockJacobi);

}  // namespace clothlab::preconditioners
