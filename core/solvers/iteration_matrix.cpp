#include "solvers/iteration_matrix.hpp"

#include "linalg/vector_kernels.hpp"

namespace clothlab::solvers {

void IterationMatrix::build(const linalg::BlockMatrix& A, linalg::Precision precision, WorkerPool& pool) {
    packed_.build(A, pool, precision);
    rounded_ = precision == linalg::Precision::Double ? nullptr : &A;
}

void IterationMatrix::residual(const linalg::BlockVector& b, const linalg::BlockVector& x, linalg::BlockVector& r,
                               WorkerPool& pool) const {
    if (rounded_)
        linalg::multiply(*rounded_, x, r, pool);
    else
        packed_.multiplyDot(x, r, pool);
    linalg::subtractFrom(b, r, pool);
}

}  // namespace clothlab::solvers
