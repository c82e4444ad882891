#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/enum_table.hpp"
#include "base/worker_pool.hpp"
#include "factors/ordering.hpp"
#include "linalg/block_matrix.hpp"
#include "linalg/precision.hpp"

namespace clothlab::factors {

enum class Factorization : int { Multifrontal, Supernodal, Simplicial };
std::span<const EnumEntry> enumTable(Factorization);

/// The order of the vectors of a solve: that of the matrix, or that of elimination.
enum class VectorOrder : int { Matrix, Factor };

/// AMD, METIS or CHOLMOD's nested dissection of the graph of blocks; empty if the library fails. `orderRows` calls it.
std::vector<Index> cholmodOrder(const linalg::BlockPattern& pattern, Ordering which);

/// CHOLMOD's sparse Cholesky factor of a symmetric block matrix. The symbolic factor is kept while the pattern, the
/// ordering and the kind of factorization last. Orderings are computed on the graph of blocks, one vertex per particle,
/// and expanded threefold: a ninth of the graph, and the same fill. Not thread-safe; one object, one thread.
class CholmodFactor {
public:
    /// In single precision the factor takes two thirds of the time and half of the memory. Use it only for
    /// preconditioners; it applies only to the multifrontal phase (the others stay in double).
    explicit CholmodFactor(linalg::Precision precision = linalg::Precision::Double);
    ~CholmodFactor();
    CholmodFactor(CholmodFactor&&) noexcept;
    CholmodFactor& operator=(CholmodFactor&&) noexcept;

    /// Symbolic analysis; does nothing when pattern and options are those of the last call. False = out of memory or
    /// a pattern that CHOLMOD refuses (the message says which).
    bool analyze(const linalg::BlockPattern& pattern, Ordering ordering, Factorization factorization);
    /// Numeric factor of a matrix with the analysed pattern. False if the matrix is not positive definite. The pool is
    /// used by the multifrontal phase; CHOLMOD's own phases run on the caller.
    bool factorize(const linalg::BlockMatrix& A, WorkerPool& pool);
    /// x = A^-1 b, on several threads after a multifrontal phase, with the same bits at any number of them.
    /// VectorOrder::Factor only after a multifrontal phase.
    bool solve(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool,
               VectorOrder order = VectorOrder::Matrix);
    /// order()[k] is the row of the matrix that is eliminated k-th; empty unless the phase is multifrontal.
    std::span<const Index> order() const;

    double fill() const;   ///< entries of the factor
    double flops() const;  ///< of the factorization
    /// Simulated time on one thread over that on this many, for a multifrontal phase.
    double speedup(int threads);
    std::size_t bytes() const;
    const std::string& message() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clothlab::factors
