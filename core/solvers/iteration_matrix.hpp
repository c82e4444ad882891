#pragma once

#include "linalg/dof_constraints.hpp"
#include "linalg/packed_matrix.hpp"

namespace clothlab::solvers {

/// Relative residual down to which conjugate gradients trust a rounded copy.
inline constexpr double kRoundedReach = 1e-6;

/// The matrix of a CG solver: a packed copy for the products of the loop, in the chosen precision, and the matrix
/// itself for the residual. A rounded copy solves another system, whose solution is off by the condition number times
/// 6e-8, invisibly to its recursion: so it is used down to `kRoundedReach`, and if that is not enough the loop
/// continues from the true residual with a copy in double (`sharpen`, conjugateGradients).
class IterationMatrix {
public:
    /// A must live as long as the solve. With constraints, directions must vanish at particles of ndof 0, and residuals
    /// are right in the rows of all others.
    void build(const linalg::BlockMatrix& A, linalg::Packing packing, WorkerPool& pool,
               const linalg::DofConstraints* constraints = nullptr);

    std::size_t bytes() const { return packed_.bytes(); }

    bool exact() const { return packed_.precision() == linalg::Precision::Double; }
    /// Packs a rounded matrix again, in double; false = it is exact already.
    bool sharpen(WorkerPool& pool);

    /// q = A p; returns p . q
    double multiplyDot(const linalg::BlockVector& p, linalg::BlockVector& q, WorkerPool& pool) const {
        return packed_.multiplyDot(p, q, pool);
    }
    /// r = b - A x, in double precision
    void residual(const linalg::BlockVector& b, const linalg::BlockVector& x, linalg::BlockVector& r,
                  WorkerPool& pool) const;

private:
    void computeKnown(const linalg::BlockMatrix& A, const linalg::DofConstraints& constraints, WorkerPool& pool);

    linalg::PackedMatrix packed_;
    linalg::Storage storage_{};
    std::span<const std::uint8_t> ndofs_;  ///< of the constraints; empty if the packed copy leaves nothing out
    linalg::BlockVector known_;            ///< A z of the blocks that the packed copy leaves out; empty if that is zero
    const linalg::BlockMatrix* rounded_ =
        nullptr;  ///< the original of a packed copy that is or was rounded; null if it was exact from the start
};

}  // namespace clothlab::solvers
