#pragma once

#include <cholmod.h>

#include <cstdint>
#include <string>
#include <vector>

#include "factors/ordering.hpp"

/// CHOLMOD for the factors of this folder: the only header that includes its headers, included by sources of this
/// folder only. A session is one workspace of the library. Not thread-safe; one object, one thread.
namespace clothlab::factors {

class CholmodSession {
public:
    CholmodSession();
    ~CholmodSession();
    CholmodSession(const CholmodSession&) = delete;
    CholmodSession& operator=(const CholmodSession&) = delete;

    /// The result of a symbolic analysis.
    struct Symbolic {
        cholmod_factor* factor = nullptr;  ///< null: it failed
        double fill = 0, flops = 0;
        std::vector<Index> order{};  ///< of the vertices, before the postorder
    };
    /// A kept order is reused while its fill is at most this multiple of that of its own pattern.
    static constexpr double kMostFill = 1.2;
    /// Analyzes a symmetric matrix whose graph is `pattern` with each vertex `width` times (3: its blocks as scalars):
    /// orders the graph and expands the order. Best takes AMD or METIS, whichever has less fill. A pattern that
    /// contacts derived from another takes its kept order if the fill allows.
    Symbolic analyze(cholmod_sparse* matrix, const linalg::BlockPattern& pattern, int width, Ordering ordering,
                     bool supernodes);
    /// The upper triangle of the graph of blocks, without values; null when out of memory. The caller frees it.
    cholmod_sparse* upperGraph(const linalg::BlockPattern& pattern);
    /// Numeric factor by CHOLMOD. False if the matrix is not positive definite, or out of memory: `message` says which.
    bool factorize(cholmod_sparse* matrix, cholmod_factor* factor, std::string& message);
    /// X = A^-1 B for `columns` right-hand sides of `rows` entries each, column after column; null and a message when
    /// it fails. The values are valid until the next call.
    const double* solve(cholmod_factor* factor, const double* rhs, std::size_t rows, std::size_t columns,
                        std::string& message);

    cholmod_common& common() { return common_; }

private:
    Symbolic analyzeUnder(cholmod_sparse* matrix, std::vector<Index> order, int width, bool supernodes);
    Symbolic analyzeAnew(cholmod_sparse* matrix, const linalg::BlockPattern& pattern, int width, Ordering ordering,
                         bool supernodes);
    bool orderOrigin(const linalg::BlockPattern& origin, Ordering ordering);
    /// The factor is null if the pattern has no origin, or there would be too much fill.
    Symbolic analyzeByOrigin(cholmod_sparse* matrix, const linalg::BlockPattern& pattern, int width, Ordering ordering,
                             bool supernodes);

    struct OriginOrder {
        std::uint64_t pattern = 0;
        Ordering ordering = Ordering::Best;
        std::vector<Index> order{};
        double fill = 0;  ///< blocks
    };
    OriginOrder origin_;
    cholmod_common common_;
    cholmod_dense *solution_ = nullptr, *workY_ = nullptr, *workE_ = nullptr;
};

/// "the matrix is not positive definite (column 7 of 60)"
std::string notDefiniteText(std::size_t column, std::size_t columns);

}  // namespace clothlab::factors
