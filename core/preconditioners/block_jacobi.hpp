#pragma once

#include "preconditioners/preconditioner.hpp"
#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {

/// P = the 3x3 diagonal blocks of the given matrix, inverted one by one (Choi-Ko; "A-Block" in [B]). For the
/// constrained matrix it is the constrained block preconditioner of [B] (5.4), in symmetric form; for the blocks of SA
/// + I - S it is the printed one, which is not symmetric, and acts the same on the range of S. By single unknowns it is
/// only the diagonal of the blocks.
class BlockJacobi final : public Preconditioner {
public:
    explicit BlockJacobi(Variant variant = Variant::Block) : variant_(variant) {}
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool&) override;
    Outcome update(const UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return inverse_.size() * sizeof(double); }

private:
    Variant variant_;
    linalg::AlignedVector<double> inverse_;  ///< 9 per particle, by columns, and padding
};

}  // namespace clothlab::preconditioners
