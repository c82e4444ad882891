#pragma once

#include "linalg/packed_matrix.hpp"

namespace clothlab::solvers {

/// The matrix of a CG solver: a packed copy that the loop multiplies with, in the precision asked for, and the matrix
/// itself, with which the residual is measured. So a loop in single precision still ends at the true residual: it
/// goes on from what the measurement finds (conjugateGradients), once or twice for each seven digits.
class IterationMatrix {
public:
    /// A must live as long as the solve.
    void build(const linalg::BlockMatrix& A, linalg::Precision precision, WorkerPool& pool);

    std::size_t bytes() const { return packed_.bytes(); }

    /// q = A p; returns p . q
    double multiplyDot(const linalg::BlockVector& p, linalg::BlockVector& q, WorkerPool& pool) const {
        return packed_.multiplyDot(p, q, pool);
    }
    /// r = b - A x, in double precision
    void residual(const linalg::BlockVector& b, const linalg::BlockVector& x, linalg::BlockVector& r, WorkerPool& pool) const;

private:
    linalg::PackedMatrix packed_;
    const linalg::BlockMatrix* rounded_ = nullptr;  ///< what the packed copy is a rounding of; null where it is exact
};

}  // namespace clothlab::solvers
