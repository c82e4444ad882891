#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "factors/block_supernodes.hpp"
#include "linalg/block_matrix.hpp"

/// The numeric phase of a supernodal Cholesky factorization, multifrontal and over threads.
///
/// A supernode is a run of columns with one structure; its front is the dense lower triangle
///
///     [ F11     ]   columns of the supernode    ->  L11 = chol(F11), L21 = F21 L11^-T   (these are the factor)
///     [ F21 F22 ]   the rows below              ->  U = F22 - L21 L21^T                 (goes to the parent)
///
/// F is the matrix's own entries plus the U of the children (extend-add). CHOLMOD's left-looking phase is not used
/// because on cloth of a few thousand particles it makes thousands of tiny BLAS calls per factor, each between OpenMP
/// regions that cost as much as the arithmetic. Here a supernode is three calls, and whole subtrees of the elimination
/// tree, which share nothing, go to different threads; the few fronts above them are large enough to be cut into tiles.
/// Tiles depend on a front's size only and children are added in their order, so that any number of threads gives the
/// same bits. (Duff and Reid 1983; Liu 1992.)
///
/// Solves read each entry of the factor twice with hardly any arithmetic, so that memory limits them. A front has its
/// own vector, `rows` long: forward, its columns become y1 = L11^-1 (b1 + contributions of the children) and the rest
/// -L21 y1 + contributions of the children, which the parent adds in the order of its children; backward, the rest is
/// read from the parent and the columns become x1 = L11^-T (y1 - L21^T x2). A factor in single precision halves the
/// memory traffic and the time of the dense kernels; sums and vectors of a solve stay in double. It is still symmetric
/// positive definite, so it is a valid preconditioner, whose relative error is then some 1e-7 times the condition of
/// the matrix.
namespace clothlab::factors {

class Multifrontal {
public:
    /// The pattern is that of the supernodes.
    void analyze(const BlockSupernodes& nodes, const linalg::BlockPattern& pattern);

    /// Fills `factor`, `size()` long: front after front, column after column. Returns -1, or the column at which the
    /// matrix is not positive definite.
    Index factorize(const linalg::BlockMatrix& A, double* factor, WorkerPool& pool);
    /// The same in single precision; if a pivot is lost to rounding, in double, each front rounded when done.
    Index factorize(const linalg::BlockMatrix& A, float* factor, WorkerPool& pool);

    /// x = A^-1 b with the factor of the last `factorize`. The same bits at any number of threads; allocates nothing.
    /// `ordered`: b and x are in the order of elimination.
    void solve(const double* factor, const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool,
               bool ordered = false) const;
    void solve(const float* factor, const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool,
               bool ordered = false) const;
    /// The particle that is eliminated k-th.
    std::span<const Index> order() const { return particles_; }

    /// Simulated time of a factorization on one thread over that on this many: the limit set by the tree.
    double speedup(int threads);

    /// Values of the factor, the unused upper triangles of the supernodes included.
    std::size_t size() const { return size_; }
    /// Bytes of scratch for the update matrices and the vectors of a solve.
    std::size_t bytes() const {
        return arenaSingle_.size() * sizeof(float) +
               (arena_.size() + local_.size() + scratch_.size() + inverseDiagonal_.size()) * sizeof(double);
    }

private:
    static constexpr Index kTile = 96;  ///< rows or columns of a front that one thread takes at a time

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
        std::size_t local = 0;   ///< of its vector in a solve, padded with zeros to whole quadruples
        Index firstRun = 0, endRun = 0, firstChild = 0, endChild = 0;
        std::size_t firstEntry = 0, endEntry = 0;

        Index below() const { return rows - columns; }
    };

    void mapRows(const BlockSupernodes& nodes);
    void mapEntries(const BlockSupernodes& nodes, const linalg::BlockPattern& pattern);
    void schedule(int threads);
    std::size_t placeUpdates(std::span<const Index> nodes, std::size_t base);
    template <class T>
    void addToColumns(const Front& child, const Front& parent, const T* arena, T* l11) const;
    template <class T>
    void addToUpdate(const Front& child, const Front& parent, T* arena, Index firstRow, Index endRow) const;
    template <class T>
    void makeUpdate(const Front& front, const T* l21, T* arena, WorkerPool& tiles) const;
    template <class T>
    Index eliminate(Index node, const linalg::BlockMatrix& A, T* l11, T* arena, WorkerPool& tiles);
    template <class T>
    Index factorizeIn(const linalg::BlockMatrix& A, T* factor, std::vector<T>& arena, WorkerPool& pool);
    /// eliminateFront(front, task, pool) -> first bad column or -1, over the schedule.
    template <class F>
    Index overTree(Index rows, WorkerPool& pool, F&& eliminateFront);
    Index tasks() const { return Index(failed_.size()); }
    Index levels() const { return Index(levelStart_.size()) - 1; }
    Index cutLevel(double mostWork, Index firstTask, std::vector<Index>& taskOf) const;

    void prepareSolve();
    template <class T>
    void solveWith(const T* factor, const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool,
                   bool ordered) const;
    void take(const Front& front, const linalg::BlockVector& b, bool ordered, double* v) const;
    void give(const Front& front, const double* v, bool ordered, linalg::BlockVector& x) const;
    template <class T>
    void forward(const Front& front, const T* factor, WorkerPool& tiles) const;
    template <class T>
    void backward(const Front& front, const T* factor, WorkerPool& tiles) const;

    std::vector<Front> fronts_;       // children before parents
    std::vector<Index> children_;     // of all fronts, a front's together
    std::vector<Run> runs_;           // of all fronts; a run never crosses from the parent's columns to the rows below
    std::vector<Entry> entries_;      // of all fronts
    std::vector<double> arena_;       // update matrices, each from its front until its parent has added it
    std::vector<float> arenaSingle_;  // the same for factors in single precision; one of the two is empty as a rule
    std::size_t arenaSize_ = 0;
    std::vector<Index> order_;       // fronts, task after task, then those above the tasks
    std::vector<Index> taskStart_;   // #tasks + 2
    std::vector<Index> levelStart_;  // of the tasks: those of a level share nothing; #levels + 1
    std::vector<Index> failed_;      // per task: first bad column or -1
    std::vector<double> scratch_;    // L11 and L21 of one front a task, where the factor is kept in single precision
    std::vector<double> inverseDiagonal_;          // of L, by column
    std::vector<Index> particles_;                 // particle that is eliminated k-th
    mutable linalg::AlignedVector<double> local_;  // vectors of the fronts in a solve
    std::size_t size_ = 0, largestFront_ = 0;
    int scheduledThreads_ = 0;
};

}  // namespace clothlab::factors
