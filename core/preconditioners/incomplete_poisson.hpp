#pragma once

#include "preconditioners/preconditioner.hpp"
#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {

/// Incomplete Poisson ([P], after Ament and others): an approximate inverse that is a product instead of a
/// solve, P^-1 = R (I - N)(I - N)^T R^T, with the two factors swapped in the other order. A = D + L + L^T, and
///
///     block      N = G^-1 L G^-T,             R = G^-T        D = G G^T the 3x3 diagonal blocks
///     point      N = D^-1/2 L D^-1/2,         R = D^-1/2      D the scalar diagonal
///     published  N = L D^-1,                  R = I           correct only for constant D, and up to a factor
///
/// On cloth |N| is 2.7 to 3 by scalars (a particle's block is stiff in the plane and soft across it), so that the
/// product is singular in floating point and conjugate gradients stall; by blocks |N| stays below 1.
///
/// H = R (I - N) is stored, lower triangular, so P^-1 = H H^T; in the other order H = (I - N) R^T and P^-1 = H^T H.
///
/// A product has no dependences, unlike a solve: every row is gathered independently, on all threads, and is the same
/// sum at any number of them. For that H^T is also stored by its own rows; scattering from the rows of H would cost a
/// store and a load per block, and rows of two threads would collide. Blocks are in Real, sums are in double; as both
/// products read the same numbers, P^-1 is symmetric to the last digits of a double.
template <class Real>
class IncompletePoisson final : public Preconditioner {
public:
    IncompletePoisson(Variant variant, PoissonProduct product) : variant_(variant), product_(product) {}
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool&) override;
    Outcome update(const UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override;

private:
    /// Rows of 3x3 blocks off the diagonal, columns ascending.
    struct Rows {
        std::vector<Index> start, column, source;  ///< source: the block of the matrix; of H^T that of H
        linalg::AlignedVector<Real> values;        ///< 9 per block, by columns, and padding
    };
    /// One per particle: H = -left L right off the diagonal.
    struct Scale {
        Mat3 left, right;
    };
    bool scaleRow(const Mat3& D, Index row);
    void copyStructure(const linalg::BlockMatrix& matrix, WorkerPool& pool);
    void fillValues(const linalg::BlockMatrix& matrix, WorkerPool& pool);
    double multiplyDot(const Rows& rows, const linalg::AlignedVector<Real>& diagonal, const linalg::BlockVector& x,
                       linalg::BlockVector& y, const linalg::BlockVector& r, WorkerPool& pool) const;

    Variant variant_;
    PoissonProduct product_;
    Rows lower_, upper_;                                         ///< of H, and of its transpose
    linalg::AlignedVector<Real> diagonal_, diagonalTransposed_;  ///< of the two, 9 per row and padding
    std::vector<Scale> scale_;
    mutable linalg::BlockVector w_;
};

extern template class IncompletePoisson<double>;
extern template class IncompletePoisson<float>;

}  // namespace clothlab::preconditioners
