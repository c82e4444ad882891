#pragma once

#include "linalg/dof_constraints.hpp"
#include "linalg/packed_matrix.hpp"

namespace clothlab::solvers {

/// The matrix of a CG solver: a packed copy that the loop multiplies with, in the precision asked for, and the matrix
/// itself, with which the residual is measured. So a loop in single precision still ends at the true residual: it
/// goes on from what the measurement finds (conjugateGradients), once or twice for each seven digits.
class IterationMatrix {
public:
    /// A must live as long as the solve. With constraints, directions must vanish at particles of ndof 0, and residuals are
    /// right in the rows of all others.
    void build(const linalg::BlockMatrix& A, linalg::Precision precision, WorkerPool& pool,
               const linalg::DofConstraints* constraints = nullptr);

    std::size_t bytes() const { return packed_.bytes(); }

    /// q = A p; returns p . q
    double multiplyDot(const linalg::BlockVector& p, linalg::BlockVector& q, WorkerPool& pool) const {
        return packed_.multiplyDot(p, q, pool);
    }
    /// r = b - A x, in double precision
    void residual(const linalg::BlockVector& b, const linalg::BlockVector& x, linalg::BlockVector& r, WorkerPool& pool) const;

private:
    void takeKnown(const linalg::BlockMatrix& A, const linalg::DofConstraints& constraints, WorkerPool& pool);

    linalg::PackedMatrix packed_;
    linalg::BlockVector known_;  ///< A z of the blocks that the packed copy leaves out; empty where that is zero
    const linalg::BlockMatrix* rounded_ = nullptr;  ///< what the packed copy is a rounding of; null where it is exact
};

}  // namespace clothlab::solvers
