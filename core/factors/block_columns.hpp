#pragma once

#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "factors/ordering.hpp"
#include "linalg/block_matrix.hpp"

namespace clothlab::factors {

/// Lower triangular L of 3x3 blocks for P = L L^T, stored by columns and built column after column: the structure of a
/// column is known only once it is built. (BlockTriangle, by rows, is for a structure known beforehand.) The diagonal
/// blocks are stored inverted; blocks may be in single precision, sums are in double.
///
/// Each domain of the order is a part with its own numbering of rows: first those that it eliminates, then those of the
/// separators, for which it collects its contributions. So domains share nothing and run side by side, and the
/// separators, the last part, add the contributions in the order of the domains.
template <class Real>
class BlockColumns {
public:
    class Part {
    public:
        Index own() const { return own_; }            ///< columns
        Index rows() const { return own_ + above_; }  ///< and the rows of the separators
        /// The row of the matrix that column k eliminates.
        Index matrixRow(Index k) const { return order_[k]; }
        /// Strictly lower blocks of P A P^T in column k, occupied or not: their rows, ascending, and the blocks of A
        /// that they are the transposes of.
        std::span<const Index> lowerRows(Index k) const { return ofColumn(sourceRow_, k); }
        std::span<const Index> lowerBlocks(Index k) const { return ofColumn(source_, k); }

        void clear();
        /// Reserves room for a column of at most `most` more blocks.
        void reserve(Index most);
        /// Appends a block to the last column; there must be room.
        Real* append(Index row) {
            row_[end_] = row;
            return block(end_++);
        }
        void closeColumn() { start_.push_back(end_); }

        Index columnStart(Index k) const { return start_[k]; }
        Index row(Index slot) const { return row_[slot]; }
        Index blocks() const { return end_; }
        Real* block(Index slot) { return values_.data() + 9 * std::size_t(slot); }
        const Real* block(Index slot) const { return values_.data() + 9 * std::size_t(slot); }
        /// L_kk^-1
        Real* diagonal(Index k) { return diagonal_.data() + 9 * std::size_t(k); }

    private:
        friend class BlockColumns;
        void analyze(const linalg::BlockPattern& pattern, const DomainOrder& order, std::span<const Index> place,
                     Index first, Index last);
        void down() const;
        void up(linalg::BlockVector& z) const;
        std::span<const Index> ofColumn(const std::vector<Index>& values, Index k) const {
            return std::span(values).subspan(std::size_t(sourceStart_[k]),
                                             std::size_t(sourceStart_[k + 1] - sourceStart_[k]));
        }
        double* work(Index row) const { return work_.data() + 4 * std::size_t(row); }
        std::size_t bytes() const;

        Index own_ = 0, above_ = 0, end_ = 0;
        std::vector<Index> order_;                             ///< row of the matrix, per column
        std::vector<Index> sourceStart_, sourceRow_, source_;  ///< of the whole pattern, occupied or not
        std::vector<Index> start_, row_;                       ///< row_, values_: filled up to end_
        linalg::AlignedVector<Real> values_, diagonal_;        ///< 9 per block, by columns, and padding
        mutable linalg::AlignedVector<double> work_;           ///< 4 per row
    };

    void analyze(const linalg::BlockPattern& pattern, const DomainOrder& order, WorkerPool& pool);

    /// The domains, then the separators.
    Index parts() const { return Index(parts_.size()); }
    Part& part(Index d) { return parts_[d]; }
    const Part& part(Index d) const { return parts_[d]; }
    Part& separators() { return parts_.back(); }
    /// f(d) for each domain, side by side.
    template <class F>
    void forDomains(WorkerPool& pool, F&& f) const {
        pool.forChunks(parts() - 1, rows_, f);
    }

    Index rows() const { return rows_; }
    /// Strictly lower blocks of L.
    Index blocks() const;
    std::size_t bytes() const;

    /// z = L^-T L^-1 r: domain by domain side by side, and the separators between the two sweeps.
    void solve(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const;

private:
    Index rows_ = 0;
    std::vector<Part> parts_;
};

extern template class BlockColumns<double>;
extern template class BlockColumns<float>;

}  // namespace clothlab::factors
