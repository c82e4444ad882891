#pragma once

#include <memory>
#include <span>
#include <string>

#include "factors/ordering.hpp"
#include "linalg/block_vector.hpp"

namespace clothlab::factors {

/// CHOLMOD's sparse Cholesky factor of a symmetric N x N matrix that acts on the three axes alike, A (x) I_3: a ninth
/// of the entries of the block factor and a third of the right-hand sides' work, for methods whose matrix is a
/// Laplacian (local/global, [L] §4.2). The graph is a block pattern, one number per block. The symbolic factor is kept
/// while pattern and ordering do not change. Not thread-safe; one object, one thread.
class ScalarFactor {
public:
    ScalarFactor();
    ~ScalarFactor();
    ScalarFactor(ScalarFactor&&) noexcept;
    ScalarFactor& operator=(ScalarFactor&&) noexcept;

    /// False = out of memory, or a pattern that CHOLMOD refuses (the message says which).
    bool analyze(const linalg::BlockPattern& pattern, Ordering ordering);
    /// `values` has the entry of every block of the analysed pattern; the lower triangle is read. `pinned` rows and
    /// columns become those of the identity, whatever their values, so that pins do not change the symbolic factor.
    /// False if the matrix is not positive definite.
    bool factorize(const linalg::BlockPattern& pattern, std::span<const double> values,
                   std::span<const Index> pinned = {});
    /// (A (x) I_3) x = b: three right-hand sides at once, in double.
    bool solve(const linalg::BlockVector& b, linalg::BlockVector& x);

    /// Copies the factor into panels of single precision; `solveSingle` needs it after each factorization.
    void pack(WorkerPool& pool);
    /// x = A^-1 b as TrianglePanels computes it: several times faster, to about six digits less those of the condition.
    void solveSingle(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) const;
    std::size_t packedBytes() const;  ///< read twice by each single-precision solve

    double fill() const;   ///< entries of the factor
    double flops() const;  ///< of the factorization
    const std::string& message() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clothlab::factors
