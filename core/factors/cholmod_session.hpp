#pragma once

#include <cholmod.h>

#include <span>
#include <string>
#include <utility>

#include "factors/ordering.hpp"

/// CHOLMOD, for the factors of this folder: the only header that includes its own, and sources of this folder alone
/// include it. A session is one workspace of the library. Not thread-safe; one object, one thread.
namespace clothlab::factors {

class CholmodSession {
public:
    CholmodSession();
    ~CholmodSession();
    CholmodSession(const CholmodSession&) = delete;
    CholmodSession& operator=(const CholmodSession&) = delete;

    /// What a symbolic analysis finds out.
    struct Symbolic {
        cholmod_factor* factor = nullptr;  ///< null: it failed
        double fill = 0, flops = 0;
    };
    /// Of a symmetric matrix whose graph is `pattern` with each vertex `width` times (3: its blocks as scalars). Orders
    /// the graph and expands the order. Best takes the one of AMD and METIS with less fill.
    Symbolic analyze(cholmod_sparse* matrix, const linalg::BlockPattern& pattern, int width, Ordering ordering,
                     bool supernodes);
    /// Numeric factor by CHOLMOD. False if the matrix is not positive definite, or out of memory: `message` says which.
    bool factorize(cholmod_sparse* matrix, cholmod_factor* factor, std::string& message);
    /// X = A^-1 B for `columns` right-hand sides of `rows` entries each, column after column; null and a message when
    /// it fails. The values stand until the next call.
    const double* solve(cholmod_factor* factor, const double* rhs, std::size_t rows, std::size_t columns,
                        std::string& message);

    /// A copy of a supernodal factor as LDL^T column by column, which the three changes below need. Null: out of
    /// memory.
    cholmod_factor* simplicialCopy(cholmod_factor* factor);
    /// Changes of such a copy; rows are those of the permuted matrix. False: `message` says why.
    /// Row and column k become those of the identity.
    bool deleteRow(cholmod_factor* factor, std::size_t k, std::string& message);
    /// Row and column k, the identity's so far, get these entries, rows ascending, the diagonal among them.
    bool addRow(cholmod_factor* factor, std::size_t k, std::span<const std::pair<int, double>> entries,
                std::string& message);
    /// Entry (k, k) grows by `value`, which may be negative.
    bool addToDiagonal(cholmod_factor* factor, std::size_t k, double value, std::string& message);
    /// + value (e_j - e_k)(e_j - e_k)^T
    bool addBetween(cholmod_factor* factor, std::size_t j, std::size_t k, double value, std::string& message);

    cholmod_common& common() { return common_; }

private:
    Symbolic analyzeUnder(cholmod_sparse* matrix, const linalg::BlockPattern& pattern, int width, Ordering ordering,
                          bool supernodes);

    bool changed(cholmod_factor* factor, int done, std::string& message);

    cholmod_common common_;
    cholmod_dense *solution_ = nullptr, *workY_ = nullptr, *workE_ = nullptr;
};

/// "the matrix is not positive definite (column 7 of 60)"
std::string notDefiniteText(std::size_t column, std::size_t columns);

}  // namespace clothlab::factors
