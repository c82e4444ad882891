#pragma once

#include <atomic>

#include "factors/block_columns.hpp"
#include "linalg/block_kernels.hpp"
#include "preconditioners/core_part.hpp"
#include "preconditioners/preconditioner.hpp"

namespace clothlab::preconditioners {

/// P = L L^T with the large blocks of L, wherever they are (Saad: ICT; Lin and Moré 1999): a block is dropped where
///
///     |L_ij| < tau sqrt(tr A_ii)          (Frobenius norm)
///
/// which does not depend on units, scaling of rows or the axes of a particle (methods §9.3). Each drop neglects at most
/// a share tau^2 of a row's own block. Blocks of A may all be kept (`keepPattern`): IC(0) plus its large fill.
///
/// The factor has at most `fillLimit` times the blocks of A. Columns get their share one after the other, and the
/// unused part goes to later ones; a column with more keeps the largest.
///
/// A + alpha blockdiag(A) is factored, alpha = tau / 10 to begin with, which costs two iterations at most and saves
/// most breakdowns: dropping makes an error of that size anyway. If the pattern of A is kept alpha begins at 0. A
/// breakdown doubles it; the next matrix begins with half of the last, and with at most four times the first.
/// (Repairing only the failing pivots was tried: hundreds of iterations; docs/decisions.md.)
///
/// Column by column, left-looking: a column is gathered from earlier ones that have its row. The domains of the order
/// run side by side.
template <class Real>
class ThresholdCholesky final : public Preconditioner {
public:
    explicit ThresholdCholesky(const PreconditionerSettings& s) : ThresholdCholesky(s, s.dropTolerance) {}
    ThresholdCholesky(const PreconditionerSettings& s, double dropTolerance)
        : ordering_(s.ordering),
          domains_(s.domains),
          dropTolerance_(dropTolerance),
          keepPattern_(s.keepPattern),
          fillLimit_(s.fillLimit),
          part_(s.factorOf, s.coreBits()) {}
    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool&) override;
    Outcome update(const UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override;

    const factors::BlockColumns<Real>& columns() const { return L_; }

private:
    using Part = typename factors::BlockColumns<Real>::Part;

    /// For each finished column of a part its next row; and for each row, the columns that wait for it.
    struct Waiting {
        std::vector<Index> first;  ///< per row: a column that waits for it, or -1
        std::vector<Index> next;   ///< per column: another that waits for the same row
        std::vector<Index> slot;   ///< per column: the block in that row
    };
    struct Kept {
        Index row, slot;
        double size;  ///< |L_ij|^2
    };
    /// The current column: its blocks in any order, those of the matrix first.
    struct Column {
        std::vector<Index> slotOf;  ///< per row, or -1
        std::vector<Index> row, source;
        linalg::AlignedVector<double> value;  ///< 12 per block, by columns of 4
        std::vector<Kept> kept;
        Index count = 0, ofMatrix = 0, keeps = 0;

        double* at(Index slot) { return value.data() + 12 * std::size_t(slot); }
        /// Reserves room for this many more blocks.
        void reserve(Index more);
        inline double* find(Index i);
    };
    struct Work {
        Waiting waiting;
        Column column;
        std::vector<double> size;   ///< tr A_ii of the part's rows
        double blocksOfMatrix = 0;  ///< strictly lower, of the columns so far
    };

    // Source: a BlockMatrix or a ConstrainedView
    template <class Source>
    Outcome factor(const Source& matrix, double shiftBefore, WorkerPool& pool);
    template <class Source>
    bool factorShifted(const Source& matrix, double shift, WorkerPool& pool);
    template <class Source>
    void factorPart(const Source& matrix, double shift, Index d, std::atomic<bool>& positive);
    template <class Source>
    void start(const Source& matrix, Index d);
    template <class Source>
    void copyColumn(const Source& matrix, const Part& part, Index k, Column& column);
    void subtractWaiting(Part& from, Waiting& waiting, Index row, Index offset, Column& column,
                         linalg::Columns3& pivot);
    bool keepLarge(Work& work, const Mat3& inverse);
    void keepWithinLimit(Work& work, const Part& part);
    void append(Work& work, Part& part, Index k);

    factors::Ordering ordering_;
    int domains_;
    double dropTolerance_;
    bool keepPattern_;
    double fillLimit_;
    CorePart part_;
    bool ordered_ = false;
    factors::BlockColumns<Real> L_;
    std::vector<Work> work_;  ///< per part
};

extern template class ThresholdCholesky<double>;
extern template class ThresholdCholesky<float>;

}  // namespace clothlab::preconditioners
