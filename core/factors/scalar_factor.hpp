#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>

#include "factors/ordering.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::factors {

/// CHOLMOD's sparse Cholesky factor of a symmetric N x N matrix that acts on the three axes alike, A (x) I_3: a ninth
/// of the entries of the block factor and a third of the right-hand sides' work, for methods whose matrix is a
/// Laplacian (local/global, [L] §4.2). The graph is a block pattern, one number a block. The symbolic factor is kept
/// while pattern and ordering last. Not thread-safe; one object, one thread.
class ScalarFactor {
public:
    ScalarFactor();
    ~ScalarFactor();
    ScalarFactor(ScalarFactor&&) noexcept;
    ScalarFactor& operator=(ScalarFactor&&) noexcept;

    /// False = out of memory, or a pattern that CHOLMOD refuses (the message says which).
    bool analyze(const linalg::BlockPattern& pattern, Ordering ordering);
    /// `values` has the entry of every block of the analysed pattern; the lower triangle is read. `pinned` rows stand
    /// as rows and columns of the identity, whatever their values, so that pins leave the symbolic factor as it is.
    /// False if the matrix is not positive definite.
    bool factorize(const linalg::BlockPattern& pattern, std::span<const double> values,
                   std::span<const Index> pinned = {});
    /// (A (x) I_3) x = b: three right-hand sides at once, in double.
    bool solve(const linalg::BlockVector& b, linalg::BlockVector& x);

    /// Copies the factor into panels of single precision; `solveSingle` needs it, after each factorization anew.
    void pack(WorkerPool& pool);
    /// x = A^-1 b as TrianglePanels computes it: several times faster, to six digits or so less the condition's.
    void solveSingle(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) const;
    std::size_t packedBytes() const;  ///< that a single solve reads twice

    /// A second factor, LDL^T column by column, that begins as a copy of the first and follows changes of the matrix
    /// one row at a time (Davis and Hager 2005). Such a factor has no supernodes, so the first stays as it is.
    bool startRowChanges();
    /// Row and column i become the identity's.
    bool deleteRow(Index i);
    /// Row and column i, the identity's so far, get these entries (column, value), the diagonal among them.
    bool addRow(Index i, std::span<const std::pair<Index, double>> entries);
    bool addToDiagonal(Index i, double value);
    /// + value (e_i - e_j)(e_i - e_j)^T; the two are neighbours in the pattern.
    bool addBetween(Index i, Index j, double value);
    /// The smallest of all pivots over what stands on the diagonal of the changed matrix: 0 or less where that is not
    /// definite.
    double smallestPivot(std::span<const double> diagonal) const;
    bool solveChanged(const linalg::BlockVector& b, linalg::BlockVector& x);

    double fill() const;   ///< entries of the factor
    double flops() const;  ///< of the factorization
    const std::string& message() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clothlab::factors
