#pragma once

#include <span>
#include <vector>

#include "base/worker_pool.hpp"
#include "linalg/block_vector.hpp"

/// A sparse Cholesky factor packed for one purpose: many triangular solves with three right-hand sides, as in
/// local/global ([L] §4.2). Single precision halves the memory traffic; vectors are passed in double, so that the loss
/// only slows the convergence of an iteration on residuals a little.
///
/// A supernode is a run of columns with one structure, L = [L11; L21]. What is stored is not L but
///
///     P = [ L11^-1 ; -L21 L11^-1 ],    forward [y1; u] = P b1,    backward x1 = P^T [y1; x2]
///
/// u goes to the rows below and x2 comes from them. So neither direction has a triangle to be solved, with rows that
/// wait for each other: both are products with the same dense matrix. It is stored in panels of 24 rows (the top ones
/// may have 8 or 16), column by column, so that the nine sums of forward, and the nine values of x of backward, stay in
/// registers; entries above the diagonal are left out. Panels are stored in the order of the forward pass, from the
/// bottom up, and backward reads them from the end: each solve goes through the memory twice, sequentially.
///
/// CHOLMOD's supernodes of one or two columns would spend their time on indices: a supernode joins its parent where the
/// added zeros cost less than it saves.
///
/// Vectors are rows of four floats in the order of elimination, so that a supernode's own columns need no list, and
/// each row below is one index. Whole subtrees of the elimination tree are tasks: their contributions to rows above are
/// summed in buffers of their own, and added in the order of the tasks. Tasks depend on the factor only, so any number
/// of threads gives the same bits.
namespace clothlab::factors {

/// CHOLMOD's supernodal factor: supernode s has the columns columns[s] .. columns[s+1]-1, its rows (those columns
/// first) are row[rowStart[s]] .. row[rowStart[s+1]-1], and its values, column by column, start at valueStart[s].
/// Supernodes are in postorder.
struct Supernodes {
    std::span<const int> columns, rowStart, valueStart, row;
};

class TrianglePanels {
public:
    /// `permutation[k]` is the row of the matrix that is eliminated k-th.
    void analyze(const Supernodes& nodes, std::span<const int> permutation);
    /// Takes the values of the analysed factor, in double.
    void pack(const double* values, WorkerPool& pool);

    /// x = A^-1 b on three axes. The same bits at any number of threads; allocates nothing once x has its size.
    void solve(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) const;

    bool empty() const { return nodes_.empty(); }
    /// Bytes of the factor that a solve reads twice.
    std::size_t bytes() const { return values_.size() * sizeof(float); }

private:
    struct Node {
        Index firstColumn = 0, columns = 0, rows = 0, parent = -1;
        std::size_t values = 0;  ///< first float of its panel
        std::size_t places = 0;  ///< offsets of its rows, from the block in which the rows below begin, in floats
        Index firstMember = 0, endMember = 0;

        Index blocks() const { return (rows + 7) / 8; }
        Index ownBlocks() const { return columns / 8; }  ///< blocks of its own columns
    };
    struct Member {  ///< a supernode of CHOLMOD's
        Index columns = 0, rows = 0;
        std::size_t source = 0;  ///< first value in CHOLMOD's factor
        std::size_t local = 0;   ///< offset of its rows in `localRow_`
    };
    struct Task {  ///< a subtree of the nodes left by earlier levels
        std::vector<Index> nodes;
        std::vector<Index> above;                      ///< columns above that it adds to
        std::vector<std::pair<Index, Index>> columns;  ///< of its nodes, as runs: first, end
        Index buffer = 0;                              ///< row of the sums for `above`
    };
    void join(const Supernodes& symbolic);
    void cutTasks();
    void placeRows();
    void packNode(const Node& node, const double* values, std::vector<double>& scratch);
    template <class F>
    void forTasks(std::size_t level, WorkerPool& pool, F&& f) const;
    void forward(const Node& node) const;
    void backward(const Node& node, float* sums) const;
    /// b as rows of four, in the order of elimination; and x the other way.
    void take(const Task& task, const linalg::BlockVector& b) const;
    void give(const Task& task, linalg::BlockVector& x) const;

    std::vector<Node> nodes_;        // children before parents, subtrees together
    std::vector<Member> members_;    // of all nodes, a node's together
    std::vector<Index> localRow_;    // of each row of each member: its row in the node
    std::vector<Index> rowStart_;    // #nodes + 1
    std::vector<Index> row_;         // of all nodes: the rows below
    std::vector<Task> tasks_;        // level after level
    std::vector<Index> levelStart_;  // #levels + 1
    std::vector<Index> order_;       // of elimination
    std::vector<Index> source_;      // of each column: the first number of its row of the matrix; and some more
    std::vector<Index> places_;
    linalg::AlignedVector<float> values_;
    std::size_t localSize_ = 0;
    mutable linalg::AlignedVector<float> vectors_;  // a row a column, then the tasks' buffers, each with a row more for
                                                    // what a panel has of zeros; columns are 0 between two solves
    mutable linalg::AlignedVector<float> taken_;    // b in the order of elimination, rows of four
    mutable linalg::AlignedVector<float> local_;    // sums of a node's columns by axes and lanes, for each task
};

}  // namespace clothlab::factors
