#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "factors/ordering.hpp"
#include "factors/sweep_schedule.hpp"
#include "linalg/block_matrix.hpp"

namespace clothlab::factors {

/// Lower triangular T of 3x3 blocks in an order of its own, for preconditioners of the form P = T T^T: incomplete
/// Cholesky factors and SSOR. Rows are stored in the order of elimination, each with the blocks left of its diagonal,
/// columns ascending; the diagonal blocks are stored inverted.
///
/// Both sweeps are bound by memory, so the blocks may be kept in single precision; sums are in double, and as both
/// sweeps read the same numbers the product stays symmetric to the last bits of a double.
template <class Real>
class BlockTriangle {
public:
    using Block = Eigen::Matrix<Real, 3, 3>;

    /// The order of elimination: `order[k]` is the row of the matrix eliminated k-th, and its domains are independent.
    void analyze(const linalg::BlockPattern& pattern, DomainOrder order, WorkerPool& pool);
    void analyze(const linalg::BlockPattern& pattern, std::vector<Index> order, WorkerPool& pool) {
        analyze(pattern, {std::move(order), {0, pattern.rows}}, pool);
    }
    /// Structure of the occupied lower blocks of P A P^T, A of the pattern analysed. `fillLevel` 1 adds the blocks that
    /// these fill directly: (i, j) where both i and j touch an earlier row.
    template <class Source>
    void setStructure(const Source& A, WorkerPool& pool, int fillLevel = 0);

    Index rows() const { return Index(order_.size()); }
    Index blocks() const { return Index(slots_.column.size()); }
    /// The blocks that A has, without fill.
    Index blocksOfMatrix() const {
        return Index(std::ranges::count_if(slots_.source, [](Index block) { return block >= 0; }));
    }
    Index rowStart(Index k) const { return slots_.rowStart[k]; }
    Index column(Index slot) const { return slots_.column[slot]; }
    /// The block of A at a slot, in the orientation of the triangle; zero for fill.
    template <class Source>
    Mat3 sourceBlock(const Source& A, Index slot) const {
        return Eigen::Map<const Mat3>(sourceData(A, slot));
    }
    /// The same without a copy, padded for a four-wide load of its last column.
    template <class Source>
    const double* sourceData(const Source& A, Index slot) const {
        static constexpr double kZero[9 + linalg::BlockVector::kPadding] = {};
        const Index block = slots_.source[slot];
        return block < 0 ? kZero : A.blockData(block);
    }
    template <class Source>
    Mat3 sourceDiagonal(const Source& A, Index k) const {
        return A.diagonal(order_[k]);
    }

    Eigen::Map<Block> block(Index slot) { return Eigen::Map<Block>(values_.data() + 9 * std::size_t(slot)); }
    Eigen::Map<const Block> block(Index slot) const {
        return Eigen::Map<const Block>(values_.data() + 9 * std::size_t(slot));
    }
    /// The diagonal block as stored for `solve`: T_kk^-1.
    Eigen::Map<Block> diagonal(Index k) { return Eigen::Map<Block>(diagonal_.data() + 9 * std::size_t(k)); }
    Eigen::Map<const Block> diagonal(Index k) const {
        return Eigen::Map<const Block>(diagonal_.data() + 9 * std::size_t(k));
    }

    /// f(strand, first, last) for all rows, each after those it depends on. Two calls of one strand never overlap: a
    /// strand is a lane of the schedule or, if there are no more threads than domains, a domain.
    template <class F>
    void forRowsInOrder(WorkerPool& pool, F&& f) const {
        if (scheduled(pool)) return schedule_.down(pool, f);
        pool.forChunks(domains(), rows(), [&](Index d) { f(d, domainStart_[d], domainStart_[d + 1]); });
        f(Index(0), domainStart_.back(), rows());
    }
    Index strands() const { return std::max(domains(), Index(schedule_.lanes())); }
    const SweepSchedule& schedule() const { return schedule_; }
    /// The structure is that of the occupied blocks.
    SweepSchedule::Triangle structure() const { return {slots_.rowStart, slots_.column, domainStart_}; }

    /// z = T^-T T^-1 r. With no more threads than domains: domains side by side, and the separators one row after the
    /// other. With more threads, by the schedule. The same bits.
    void solve(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const;

    std::size_t bytes() const;

private:
    struct Slots;
    Index domains() const { return Index(domainStart_.size()) - 1; }
    bool scheduled(const WorkerPool& pool) const { return schedule_.lanes() > 1 && pool.threads() > domains(); }
    void makeSchedule(const Slots& structure, const WorkerPool& pool);
    template <class Source>
    void selectLowerBlocks(const Source& A, WorkerPool& pool);
    void solveDown(const linalg::BlockVector& r, Index begin, Index end) const;
    void solveUp(linalg::BlockVector& z, Index begin, Index end) const;
    template <class Source>
    void selectWithFill(const Source& A);

    struct Slots {
        std::vector<Index> rowStart, column;
        std::vector<Index> source;  ///< per slot: block of A, or -1 for fill

        void startRows(std::size_t rows);
        /// Turns rowStart[k + 1] from the number of slots of row k into its end.
        void placeRows();
    };

    std::vector<Index> order_, place_;  ///< place_: the place of a row of A
    std::vector<Index> domainStart_{0};
    Slots lower_;  ///< of the whole pattern, occupied or not
    Slots slots_;
    SweepSchedule schedule_;
    int scheduledThreads_ = 0;                       ///< the schedule was made for; 0 = the structure is new
    linalg::AlignedVector<Real> values_, diagonal_;  ///< 9 per block, by columns, and padding
    mutable linalg::AlignedVector<double> work_;     ///< 4 per row, in the order of elimination
};

extern template class BlockTriangle<double>;
extern template class BlockTriangle<float>;

}  // namespace clothlab::factors
