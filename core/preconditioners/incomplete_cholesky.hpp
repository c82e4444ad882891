#pragma once

#include <atomic>

#include "factors/block_triangle.hpp"
#include "preconditioners/core_part.hpp"
#include "preconditioners/preconditioner.hpp"
#include "preconditioners/threshold_cholesky.hpp"

namespace clothlab::preconditioners {

/// P = L L^T with L on the occupied blocks of A only: 3x3-block IC(0), which equals scalar IC(0) on the full pattern of
/// the blocks ([P], [B], [Y]). Fill level 1 also keeps the blocks that these fill directly. The matrix may be only the
/// core.
///
/// A pivot block that is not positive definite is a breakdown. Three cures:
///
///     shift       A + alpha blockdiag(A) is factored (Manteuffel), with alpha = 1e-3, 2e-3, ... until it succeeds. The
///                 whole 3x3 block is shifted, not its diagonal: that keeps the iterates those of the reduced system
///                 (methods §9.3). The next matrix begins at half the shift of this one.
///     compensate  dropped fill is added to the diagonal (Ajiz and Jennings, here by blocks). The dropped fill of
///                 rows i, j through k is U V^T with U = L_ik, V = L_jk; s U U^T goes to row i and V V^T / s to row j,
///                 so that the error [s U U^T, U V^T; V U^T, V V^T / s] is positive semidefinite and no pivot can fail.
///     threshold   the matrix is factored by size (ThresholdCholesky), and so are those behind it: what breaks IC(0)
///                 down is fill that it should not drop. "Behind it" is known by the shift of the step before.
///
/// Rows depend on rows, both in the factorization and in the two sweeps of an application. `domains` cuts the order
/// into two or more runs that do not touch each other, followed by separators: a Schur complement, with its fill
/// dropped like all other. Domains run side by side, and every block of the matrix still counts. More than two cost
/// iterations; so with more threads than domains the rows are processed as a wave (factors::SweepSchedule), with the
/// same bits.
///
/// Real is the type of the stored factor; pivots and sums are double.
template <class Real>
class IncompleteCholesky final : public Preconditioner {
public:
    static constexpr double kCureTolerance = 3e-3;  ///< of the cure `threshold`

    explicit IncompleteCholesky(const PreconditionerSettings& s)
        : ordering_(s.ordering),
          domains_(s.domains),
          fillLevel_(s.fillLevel),
          cure_(s.breakdown),
          part_(s.factorOf, s.coreBits()),
          bySize_(s, kCureTolerance) {}
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool&) override;
    Outcome update(const UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override { return triangle_.bytes() + part_.bytes() + bySize_.bytes(); }

    const factors::BlockTriangle<Real>& triangle() const { return triangle_; }

private:
    // Source: a BlockMatrix or a ConstrainedView
    template <class Source>
    Outcome factor(const Source& matrix, double shiftBefore, WorkerPool& pool);
    template <class Source>
    bool factorShifted(const Source& matrix, double shift, WorkerPool& pool);
    template <class Source>
    void factorRows(const Source& matrix, double shift, Index first, Index last, Index* slotOf,
                    std::atomic<bool>& positive);
    Outcome outcomeOfStructure() const;
    template <class Source>
    bool factorCompensated(const Source& matrix);

    factors::Ordering ordering_;
    int domains_;
    int fillLevel_;
    BreakdownCure cure_;
    CorePart part_;
    bool ordered_ = false;
    factors::BlockTriangle<Real> triangle_;
    std::vector<Index> slotOf_;  ///< per strand and column: slot in the row at work, or -1
    ThresholdCholesky<Real> bySize_;
    bool bySizeAnalyzed_ = false, bySizeInUse_ = false;
};

extern template class IncompleteCholesky<double>;
extern template class IncompleteCholesky<float>;

}  // namespace clothlab::preconditioners
