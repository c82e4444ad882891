#pragma once

#include <string>

#include "factors/cholmod_factor.hpp"
#include "linalg/aggregates.hpp"
#include "linalg/row_frames.hpp"
#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {

/// The coarse space of a deflation: a few vectors Z per aggregate of rows, with A Z and the coarse matrix E = Z^T A Z.
///
///     translations   3 vectors per aggregate: a piece of cloth that moves as a whole
///     rigid          6: also the rotations about its current centre. A solid needs them: turning a piece
///                    costs no energy, which translations cannot represent (Jonsthovel and others 2012).
///
/// Z is filtered: row i is T_i [I, -[x_i - c]_x / a], with T_i of linalg::RowFrames and a the size of the aggregate. A
/// vector that depends on those before it (all of an aggregate is held; two particles turn about their line) becomes
/// zero, with one on the diagonal of E. Sums are added in the order of rows: the same bits at any number of threads.
class CoarseSpace {
public:
    CoarseSpace(CoarseVectors vectors, int aggregateSize) : wanted_(vectors), size_(aggregateSize) {}

    /// Empty, or why there is none, as a sentence for the user.
    std::string update(const linalg::RowFrames& frames, WorkerPool& pool);

    const linalg::Aggregates& aggregates() const { return aggregates_; }
    /// As in CoarseLevel.
    const std::shared_ptr<const std::vector<Index>>& aggregateOf() const { return aggregateOf_; }
    Index unknowns() const { return aggregates_.count() * width_; }
    std::size_t bytes() const;

    /// c = E^-1 Z^T r
    void solve(const linalg::BlockVector& r, linalg::BlockVector& c, WorkerPool& pool) const;
    /// c = E^-1 (Z^T r - (A Z)^T y); without r: c = -E^-1 (A Z)^T y
    void solveAgainst(const linalg::BlockVector* r, const linalg::BlockVector& y, linalg::BlockVector& c,
                      WorkerPool& pool) const;
    /// w = r - A Z c
    void subtractImage(const linalg::BlockVector& c, const linalg::BlockVector& r, linalg::BlockVector& w,
                       WorkerPool& pool) const;
    /// z += Z c
    void addCoarse(const linalg::BlockVector& c, linalg::BlockVector& z, WorkerPool& pool) const;

private:
    void analyze(const linalg::RowFrames& frames, Index width);
    void analyzeImage(const linalg::BlockPattern& pattern);
    void analyzeCoarseMatrix();
    template <int kWidth>
    void fill(const linalg::RowFrames& frames, WorkerPool& pool);
    void place(const linalg::RowFrames& frames, WorkerPool& pool);
    template <int kWidth>
    void drop(WorkerPool& pool);
    template <int kWidth, int kColumns>
    void addProduct(Index row, const Eigen::Matrix<double, 3, kColumns>& m,
                    Eigen::Matrix<double, kWidth, kColumns>& out) const;
    template <int kWidth>
    bool isDropped(Index aggregate, int vector) const {
        return dropped_[kWidth * aggregate + vector] != 0;
    }
    template <int kWidth>
    void fillImage(const linalg::RowFrames& frames, WorkerPool& pool);
    template <int kWidth>
    void fillCoarseMatrix(WorkerPool& pool);
    template <int kWidth>
    void gather(const linalg::BlockVector* r, const linalg::BlockVector* y, WorkerPool& pool) const;
    void factorSolve(linalg::BlockVector& c, WorkerPool& pool) const;
    linalg::BlockVector emptyCoarse() const { return linalg::BlockVector(aggregates_.count() * (width_ / 3)); }

    CoarseVectors wanted_;
    int size_;
    Index width_ = 0;  ///< vectors per aggregate
    std::uint64_t pattern_ = 0;
    linalg::Aggregates aggregates_;
    std::shared_ptr<const std::vector<Index>> aggregateOf_;
    std::vector<Index> imageStart_;  ///< rows + 1
    std::vector<Index> imageOf_;     ///< row after row: the aggregates with entries in the row of A Z, ascending
    std::vector<Index> imageAt_;     ///< likewise: the places of these entries, which lie aggregate after aggregate
    std::vector<Index> touchStart_;  ///< aggregates + 1
    std::vector<Index> touchRow_;    ///< per entry: its row, ascending in an aggregate
    std::vector<Index> pairStart_;   ///< aggregates + 1: the graph of E
    std::vector<Index> pairOf_;      ///< per pair: the other aggregate, ascending
    linalg::BlockVector offsets_;    ///< per row: (x_i - c) / a, zero without rotations
    std::vector<Index> turnOf_;      ///< per row: index into turns_, or -1
    std::vector<Mat3> turns_;        ///< T_i where it is not the identity
    linalg::AlignedVector<double> image_;  ///< width x 3 per entry: of A Z, transposed
    std::vector<std::uint8_t> dropped_;    ///< per vector
    linalg::BlockMatrix matrix_;           ///< E
    mutable factors::CholmodFactor factor_;
    mutable linalg::BlockVector sums_;
};

}  // namespace clothlab::preconditioners
