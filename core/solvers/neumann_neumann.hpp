#pragma once

#include "preconditioners/preconditioner.hpp"
#include "solvers/substructures.hpp"

/// The Neumann-Neumann preconditioner of the interface (De Roeck 1991),
///
///     M^-1 = sum_d R_d^T W_d S_d^-1 W_d R_d
///
/// R_d restricts to the interface rows that domain d touches. S_d is the Schur complement of the domain by itself,
///
///     A^(d) = [ A_dd  A_dG      ]      S_d^-1 r: one solve with A^(d) and the right-hand side (0, r)
///             [ A_Gd  A_GG^(d)  ]
///
/// and W_d is one over the number of domains that touch the row. Where two domains that are alike meet, M^-1 S is close
/// to the identity.
///
/// The split of A_GG is algebraic. A coupling C between two interface rows is shared by the domains that both touch. A
/// diagonal block gets |C| of each coupling into the domain, for a spring its -C, and an equal share of the remainder,
/// which is mass: so A^(d) is that of a free piece of cloth, definite by its mass. If a matrix has no such structure
/// and A^(d) is not positive definite, the domain takes all of the diagonal and of the couplings instead, a principal
/// submatrix of A, which is always positive definite if A is. The split changes M, never S.
namespace clothlab::solvers {

class NeumannNeumann final : public preconditioners::Preconditioner {
public:
    /// `parts` has analysed the matrix and must outlive this.
    explicit NeumannNeumann(const Substructures& parts) : parts_(parts) {}

    void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool) override;
    preconditioners::Outcome update(const preconditioners::UpdateInput& input, WorkerPool& pool) override;
    double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const override;
    std::size_t bytes() const override;

    double fill() const;
    double flops() const;
    /// Domains whose own matrix was not positive definite.
    Index indefiniteDomains() const;
    /// A^(d), interior rows first; for tests.
    const linalg::BlockMatrix& domainMatrix(Index domain) const { return local_[domain].matrix; }

private:
    struct Local {
        linalg::BlockMatrix matrix;  ///< A^(d)
        std::vector<Index> source;   ///< per block: its position in the matrix
        std::vector<Mat3> diagonal;  ///< per boundary row: its share of the diagonal block
        std::vector<double> weight;  ///< likewise: W_d
        bool indefinite = false;
        mutable factors::CholmodFactor factor{linalg::Precision::Single};
        mutable linalg::BlockVector rhs, solution;
    };

    void analyzeLocal(const linalg::BlockPattern& p, Index domain);
    void splitRow(const linalg::BlockMatrix& A, Index boundaryRow);
    bool factorizeLocal(const linalg::BlockMatrix& A, Index domain, WorkerPool& alone);
    void fillValues(const linalg::BlockMatrix& A, Index domain, bool all);
    Index sharedBy(Index boundaryRow, Index other) const;

    const Substructures& parts_;
    std::vector<Local> local_;
};

}  // namespace clothlab::solvers
