#pragma once

#include <functional>

#include "linalg/block_matrix.hpp"
#include "linalg/block_vector.hpp"

/// Eigen's solvers on the same systems, each with the storage and triangle that is fastest here. In a separate file,
/// since they take long to compile.
namespace clothlab::bench {

/// `iterations` of CG with the diagonal preconditioner, without the time of set-up.
std::function<void()> fastestEigenCg(const linalg::BlockMatrix& A, const linalg::BlockVector& b, int iterations);
/// Set-up of incomplete Cholesky without the ordering, and CG to a true relative residual of 1e-3.
std::function<void()> fastestEigenIc(const linalg::BlockMatrix& A, const linalg::BlockVector& b);

}  // namespace clothlab::bench
