#pragma once

#include "preconditioners/preconditioner.hpp"

namespace clothlab::preconditioners {

/// P = diag(A), one number per scalar unknown. lambda_max(P^-1 A) <= 6 for spring networks.
class Jacobi final : public Preconditioner {
public:
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool&) override;
    Outcome update(const UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return 3 * sizeof(double) * std::size_t(inverse_.size()); }

private:
    linalg::BlockVector inverse_;  ///< 1 / A_kk, #P x 3
};

}  // namespace clothlab::preconditioners
