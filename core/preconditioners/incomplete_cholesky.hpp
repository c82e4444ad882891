#pragma once

#include "linalg/block_triangle.hpp"
#include "preconditioners/preconditioner.hpp"

namespace clothlab::preconditioners {

/// P = L L^T with L on the occupied blocks of A alone: 3x3-block IC(0), which equals scalar IC(0) on the full pattern of
/// the blocks (methods §9.4; [P], [B], [Y]).
///
/// A pivot block that is not positive definite is a breakdown: then A + alpha blockdiag(A) is factored (Manteuffel), with
/// alpha = 1e-3, 2e-3, ... until it succeeds. The whole 3x3 block is shifted, not its diagonal: that keeps the iterates
/// those of the reduced system (§9.3). The next matrix begins at half the shift of this one.
class IncompleteCholesky final : public Preconditioner {
public:
    explicit IncompleteCholesky(RowOrder order) : order_(order) {}
    std::string_view name() const override { return "incomplete-cholesky"; }
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*) override;
    void rememberShift(double shift) override { shift_ = shift; }
    Outcome update(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return triangle_.bytes(); }

    const linalg::BlockTriangle& triangle() const { return triangle_; }

private:
    bool factor(const linalg::BlockMatrix& matrix, double shift);

    RowOrder order_;
    std::vector<Index> rows_;
    linalg::BlockTriangle triangle_;
    std::vector<Index> slotOf_;  ///< per column: slot in the row at work, or -1
    double shift_ = 0;           ///< of the matrix before
};

}  // namespace clothlab::preconditioners
