#pragma once

#include <functional>

#include "linalg/block_matrix.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::bench {

/// PETSc's conjugate gradients with its incomplete Cholesky factor, numeric set-up included, to a true relative
/// residual of 1e-3: by 3x3 blocks or by numbers, whichever is faster here. Empty where the build has no PETSc
/// (scripts/setup petsc).
std::function<void()> fastestPetscIc(const linalg::BlockMatrix& A, const linalg::BlockVector& b);

}  // namespace clothlab::bench
