#pragma once

#include "linalg/packed_matrix.hpp"
#include "preconditioners/block_jacobi.hpp"

namespace clothlab::preconditioners {

/// P^-1 = q(C^-1 A) C^-1 with C the 3x3 diagonal blocks and q the polynomial of degree m-1 for which 1 - t q(t) is the
/// Chebyshev polynomial T_m of the interval [b/kappa, b], scaled to 1 at t = 0: m - 1 products with A and no triangular
/// solve, so that all of it is parallel ([Saad] §12.3).
///
/// b is 1.1 times a power iteration's estimate of the largest eigenvalue of C^-1 A (at most 2 for a network of
/// springs), from a fixed start. kappa = (m + 1)^2: the range that a polynomial of that degree can even out;
/// eigenvalues below b/kappa are raised too, and keep their order. t q(t) is positive on (0, b], so P is positive
/// definite.
class Chebyshev final : public Preconditioner {
public:
    explicit Chebyshev(int degree) : degree_(degree) {}
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool&) override;
    Outcome update(const UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return packed_.bytes() + blocks_.bytes(); }

private:
    int degree_;
    double largest_ = 2;
    BlockJacobi blocks_;
    linalg::PackedMatrix packed_;
    mutable linalg::BlockVector direction_, product_, residual_, step_;
};

}  // namespace clothlab::preconditioners
