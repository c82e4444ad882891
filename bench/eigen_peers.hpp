#pragma once

#include <functional>

#include "linalg/block_matrix.hpp"
#include "linalg/block_vector.hpp"

/// What Eigen brings along for the same systems: of each method the storage and triangle that is fastest here. Apart,
/// since Eigen's solvers take long to compile.
namespace clothlab::bench {

/// `iterations` of CG with the diagonal; its set-up is not timed.
std::function<void()> fastestEigenCg(const linalg::BlockMatrix& A, const linalg::BlockVector& b, int iterations);
/// Incomplete Cholesky, set-up without its ordering, and CG to a true relative residual of 1e-3.
std::function<void()> fastestEigenIc(const linalg::BlockMatrix& A, const linalg::BlockVector& b);

}  // namespace clothlab::bench
