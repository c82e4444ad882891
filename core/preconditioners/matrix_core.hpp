#pragma once

#include "linalg/cholmod_factor.hpp"
#include "preconditioners/preconditioner.hpp"

namespace clothlab::preconditioners {

/// P = the matrix core of [Y] §6: the blocks of the stretch springs, and of everything else the 3x3 diagonal blocks,
/// factored. All springs keep their share of the diagonal, so the core is the matrix without the other off-diagonal
/// blocks. The spectrum of P^-1 A lies in [1/(1+rho), 2], whatever the stretch stiffness (methods §10.2); stiff springs
/// outside of the core undo that.
class MatrixCore final : public Preconditioner {
public:
    explicit MatrixCore(linalg::Ordering ordering) : ordering_(ordering) {}
    std::string_view name() const override { return "matrix-core"; }
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core) override;
    Outcome update(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return core_.bytes() + factor_.bytes(); }

private:
    linalg::Ordering ordering_;
    linalg::BlockMatrix core_;
    std::vector<Index> source_;  ///< per block of the core: its position in the matrix
    mutable linalg::CholmodFactor factor_;
    std::string trouble_;
};

}  // namespace clothlab::preconditioners
