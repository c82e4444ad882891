#include <Eigen/SparseCholesky>

#include "factors/scalar_upper.hpp"
#include "solvers/direct.hpp"

namespace clothlab::solvers {
namespace {

/// Eigen's simplicial L D L^T with its AMD ordering: the second direct solver, beside CHOLMOD, as Pardiso is in [Y].
class EigenLdlt final : public DirectFactor {
public:
    bool analyze(const linalg::BlockPattern& p) override {
        if (revision_ == p.revision) return true;
        const Eigen::Index n = Eigen::Index{3} * p.rows;
        matrix_.resize(n, n);
        matrix_.resizeNonZeros(Eigen::Index(factors::upperEntries(p)));
        factors::upperStructure(p, matrix_.outerIndexPtr(), matrix_.innerIndexPtr());
        std::fill_n(matrix_.valuePtr(), matrix_.nonZeros(), 0.0);
        factor_.analyzePattern(matrix_);
        revision_ = p.revision;
        return true;
    }
    bool factorize(const linalg::BlockMatrix& A, WorkerPool&) override {
        factors::upperValues(A, matrix_.valuePtr());
        factor_.factorize(matrix_);
        if (factor_.info() != Eigen::Success || !(factor_.vectorD().minCoeff() > 0)) return false;
        const auto& L = factor_.matrixL().nestedExpression();
        fill_ = double(L.nonZeros() + L.cols());
        flops_ = 0;
        for (Eigen::Index j = 0; j < L.cols(); ++j) {
            const double column = L.outerIndexPtr()[j + 1] - L.outerIndexPtr()[j] + 1;
            flops_ += column * column;
        }
        return true;
    }
    bool solve(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool&) override {
        if (x.size() != b.size()) x.resize(b.size());
        x.flat() = factor_.solve(b.flat());
        return true;
    }
    double fill() const override { return fill_; }
    double flops() const override { return flops_; }
    std::size_t bytes() const override { return std::size_t(fill_) * (sizeof(double) + sizeof(int)); }
    std::string message() const override { return "Eigen LDLT: the matrix is not positive definite"; }

private:
    Eigen::SparseMatrix<double> matrix_;  ///< upper triangle
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Upper> factor_;
    std::uint64_t revision_ = 0;
    double fill_ = 0, flops_ = 0;
};

}  // namespace

std::unique_ptr<DirectFactor> makeEigenLdlt() { return std::make_unique<EigenLdlt>(); }

}  // namespace clothlab::solvers
