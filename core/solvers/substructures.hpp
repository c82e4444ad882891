#pragma once

#include <span>

#include "factors/cholmod_factor.hpp"
#include "factors/partition.hpp"
#include "linalg/block_matrix.hpp"

/// A symmetric positive definite system cut into domains and an interface between them (factors::partitionRows). Rows
/// of different domains do not touch each other, so that with the interface G last A is
///
///     [ A_11              A_1G ]
///     [       A_22        A_2G ]      S = A_GG - sum_d A_Gd A_dd^-1 A_dG
///     [             ...   ...  ]      g = b_G  - sum_d A_Gd A_dd^-1 b_d
///     [ A_G1  A_G2  ...   A_GG ]
///
/// The interior unknowns are eliminated, each domain's by its own complete factor, and S x_G = g is left. S is applied
/// but never formed: one solve in each domain. Then x_d = A_dd^-1 (b_d - A_dG x_G). With exact interiors the residual
/// of the whole system is that of S x_G = g on the interface and zero elsewhere (Smith, Bjorstad, Gropp 1996).
///
/// Domains run side by side, one thread each, and their contributions to the interface are added in their order: the
/// same bits at any number of threads.
namespace clothlab::solvers {

class Substructures {
public:
    /// An off-diagonal block between an interior row and a row of the interface.
    struct Coupling {
        Index inner, boundary;  ///< into `inner` and `boundary` of the domain
        Index source;           ///< block (interface row, interior row) of the matrix
    };
    struct Domain {
        std::vector<Index> inner;     ///< rows of the matrix, ascending
        std::vector<Index> boundary;  ///< rows of the interface that its interior touches, ascending
        std::vector<Coupling> couplings;
    };
    /// A domain that an interface row touches, and the number of the row in its boundary.
    struct Touch {
        Index domain, boundary;
    };

    /// Symbolic work, once per pattern and number of domains; 0 = by the number of rows.
    void analyze(const linalg::BlockMatrix& A, Index domains, WorkerPool& pool);
    /// Takes a matrix of that pattern, which must live until the last solve with it. Empty, or why it failed.
    std::string factorize(const linalg::BlockMatrix& A, WorkerPool& pool);

    std::span<const Domain> domains() const { return domains_; }
    /// Rows of the matrix that make up the interface, ascending.
    std::span<const Index> interfaceRows() const { return interface_; }
    /// The domains that an interface row touches, ascending.
    std::span<const Touch> touches(Index boundaryRow) const {
        return std::span(touch_).subspan(touchStart_[boundaryRow],
                                         std::size_t(touchStart_[boundaryRow + 1] - touchStart_[boundaryRow]));
    }
    /// Per row of the matrix: its number in the interior of its domain, or in the interface.
    std::span<const Index> numbers() const { return number_; }
    /// Per row of the matrix: its domain, or factors::Partition::kInterface.
    std::span<const Index> domainOf() const { return partition_.of; }

    /// g of a right-hand side b of the whole system.
    void condense(const linalg::BlockVector& b, linalg::BlockVector& g, WorkerPool& pool) const;
    /// q = S p; returns p . q
    double multiplyDot(const linalg::BlockVector& p, linalg::BlockVector& q, WorkerPool& pool) const;
    /// x of the whole system from its interface.
    void extend(const linalg::BlockVector& b, const linalg::BlockVector& onInterface, linalg::BlockVector& x,
                WorkerPool& pool) const;

    /// f(domain, a pool of one thread), domains side by side.
    template <class F>
    void eachDomain(WorkerPool& pool, F&& f) const {
        pool.forChunks(Index(domains_.size()), Index(number_.size()), [&](Index d) {
            WorkerPool alone(1);
            f(d, alone);
        });
    }

    double fill() const;
    double flops() const;
    std::size_t bytes() const;

private:
    /// The data of a domain besides its structure.
    struct Interior {
        linalg::BlockMatrix matrix;  ///< A_dd
        std::vector<Index> source;   ///< per block: its position in the matrix
        mutable factors::CholmodFactor factor;
        mutable linalg::BlockVector rhs, solution;  ///< scratch, one row each
        mutable linalg::BlockVector owed;           ///< A_Gd A_dd^-1 rhs, per row of the boundary
    };

    void numberRows();
    void listDomains(const linalg::BlockPattern& p);
    void listTouches();
    void analyzeInterior(const linalg::BlockPattern& p, Index domain);
    void makeInterfacePattern(const linalg::BlockPattern& p);
    void solveAndOwe(Index domain, WorkerPool& alone) const;
    void subtractOwed(linalg::BlockVector& q, WorkerPool& pool) const;

    factors::Partition partition_;
    std::uint64_t revision_ = 0;
    Index asked_ = 0;
    std::vector<Index> number_, interface_;
    std::vector<Domain> domains_;
    std::vector<Interior> interiors_;
    std::vector<Touch> touch_;
    std::vector<Index> touchStart_;
    linalg::BlockMatrix onInterface_;  ///< A_GG
    std::vector<Index> interfaceSource_;
    const linalg::BlockMatrix* matrix_ = nullptr;  ///< of the last `factorize`
};

/// The default number of domains for a system of this many rows.
Index automaticSubstructures(Index rows);

}  // namespace clothlab::solvers
