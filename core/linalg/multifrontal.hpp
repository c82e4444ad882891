#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "linalg/block_matrix.hpp"

/// The numeric phase of a supernodal Cholesky factorization, multifrontal and over threads, on CHOLMOD's symbolic
/// factor and into CHOLMOD's layout, so that CHOLMOD's solves go on working.
///
/// A supernode is a run of columns with one structure; its front is the dense lower triangle
///
///     [ F11     ]   columns of the supernode    ->  L11 = chol(F11), L21 = F21 L11^-T   (these are the factor)
///     [ F21 F22 ]   the rows below              ->  U = F22 - L21 L21^T                 (goes to the parent)
///
/// F is the matrix's own entries plus the U of the children (extend-add). Why not CHOLMOD's left-looking phase: on
/// cloth of a few thousand particles it makes thousands of tiny BLAS calls a factor, each between OpenMP regions that
/// cost as much as the arithmetic. Here a supernode is three calls, and whole subtrees of the elimination tree, which
/// share nothing, go to different threads; the few fronts above them are large enough to be cut into tiles. Tiles
/// depend on a front's size alone and children are added in their order, so that any number of threads gives the
/// same bits. (Duff and Reid 1983; Liu 1992, "The multifrontal method for sparse matrix solution".)
namespace clothlab::linalg {

class Multifrontal {
public:
    /// CHOLMOD's supernodal symbolic factor: supernode s has the columns columns[s] .. columns[s+1]-1, its rows (those
    /// columns first) are row[rowStart[s]] .. row[rowStart[s+1]-1], and its values, column by column, start at
    /// valueStart[s].
    struct Symbolic {
        std::span<const int> columns, rowStart, valueStart, row;
    };

    /// `permutation[k]` is the row of the matrix that is eliminated k-th, 3 rows a particle kept together.
    void analyze(const Symbolic& symbolic, std::span<const int> permutation, const BlockPattern& pattern);

    /// Fills `factor` (CHOLMOD's L->x). Returns -1, or the column at which the matrix is not positive definite.
    Index factorize(const BlockMatrix& A, double* factor, WorkerPool& pool);

    /// Bytes of scratch for the update matrices.
    std::size_t bytes() const { return arena_.size() * sizeof(double); }

private:
    struct Run {  ///< `length` rows of a child's update matrix that lie together in its parent's front
        Index child, parent, length;
    };
    struct Entry {  ///< a lower block of A and where its first value belongs
        Index block;
        std::uint32_t transposed;
        std::size_t offset;
    };
    struct Front {
        Index firstColumn = 0, columns = 0, rows = 0, parent = -1;
        std::size_t values = 0;  ///< of L11 and L21, leading dimension `rows`
        std::size_t update = 0;  ///< of U in the arena, leading dimension `rows - columns`
        Index firstRun = 0, endRun = 0, firstChild = 0, endChild = 0;
        std::size_t firstEntry = 0, endEntry = 0;
        double subtreeWork = 0;

        Index below() const { return rows - columns; }
    };

    void mapRows(const Symbolic& symbolic);
    void mapEntries(const Symbolic& symbolic, std::span<const int> permutation, const BlockPattern& pattern);
    void schedule(int threads);
    std::size_t placeUpdates(std::span<const Index> nodes, std::size_t base);
    void addToColumns(const Front& child, const Front& parent, double* factor) const;
    void addToUpdate(const Front& child, const Front& parent);
    Index eliminate(Index node, const BlockMatrix& A, double* factor, WorkerPool& tiles);

    std::vector<Front> fronts_;     // children before parents
    std::vector<Index> children_;   // of all fronts, a front's together
    std::vector<Run> runs_;         // of all fronts; a run never crosses from the parent's columns to the rows below
    std::vector<Entry> entries_;    // of all fronts
    std::vector<double> arena_;     // update matrices, each from its front until its parent has added it
    std::vector<Index> order_;      // fronts, task after task, then those above the tasks
    std::vector<Index> taskStart_;  // #tasks + 2
    std::vector<Index> failed_;     // per task: first bad column or -1
    int scheduledThreads_ = 0;
};

}  // namespace clothlab::linalg
