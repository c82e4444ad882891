#pragma once

#include <functional>

#include "linalg/block_matrix.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::bench {

/// PETSc's conjugate gradients with its incomplete Cholesky factor, including numeric set-up, to a true relative
/// residual of 1e-3: by 3x3 blocks or by scalars, whichever is faster here. Empty in a build without PETSc
/// (scripts/setup petsc).
std::function<void()> fastestPetscIc(const linalg::BlockMatrix& A, const linalg::BlockVector& b);

}  // namespace clothlab::bench
