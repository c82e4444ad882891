#pragma once

#include "linalg/block_triangle.hpp"
#include "preconditioners/preconditioner.hpp"

namespace clothlab::preconditioners {

/// Incomplete Poisson ([P], after Ament and others; methods §9.6): an approximate inverse that is a product instead of a
/// solve, P^-1 = R (I - N)(I - N)^T R^T, with the two factors swapped in the other order. A = D + L + L^T, and
///
///     block      N = G^-1 L G^-T,             R = G^-T        D = G G^T the 3x3 diagonal blocks
///     point      N = D^-1/2 L D^-1/2,         R = D^-1/2      D the scalar diagonal
///     published  N = L D^-1,                  R = I           right only up to a factor, where D is constant
///
/// On cloth |N| is 2.7 to 3 by scalars (a particle's block is stiff in the plane and soft across it), so that the
/// product is singular in floating point and conjugate gradients stall; by blocks |N| stays below 1.
class IncompletePoisson final : public Preconditioner {
public:
    IncompletePoisson(Variant variant, PoissonProduct product) : variant_(variant), product_(product) {}
    std::string_view name() const override { return "incomplete-poisson"; }
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool&) override;
    Outcome update(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return triangle_.bytes() + right_.size() * sizeof(Mat3); }

private:
    Variant variant_;
    PoissonProduct product_;
    linalg::BlockTriangle<double> triangle_;  ///< I - N
    std::vector<Mat3> right_;         ///< R, one a particle
    mutable linalg::BlockVector u_, w_;
};

}  // namespace clothlab::preconditioners
