#include "eigen_peers.hpp"

#include <Eigen/IterativeLinearSolvers>
#include <memory>
#include <vector>

#include "factorizations.hpp"
#include "pruned.hpp"

namespace clothlab::bench {
namespace {

/// `iterations` of Eigen's CG with its diagonal preconditioner, without the time of set-up.
template <int kOrder, int kTriangle>
std::function<void()> eigenCg(const linalg::BlockMatrix& A, const linalg::BlockVector& b, int iterations) {
    using Matrix = Eigen::SparseMatrix<double, kOrder>;
    using Solver = Eigen::ConjugateGradient<Matrix, kTriangle, Eigen::DiagonalPreconditioner<double>>;
    auto matrix = std::make_shared<Matrix>(pruned<kOrder>(A));
    auto solver = std::make_shared<Solver>();
    solver->setMaxIterations(iterations);
    solver->setTolerance(1e-300);
    solver->compute(*matrix);
    auto rhs = std::make_shared<Eigen::VectorXd>(b.flat());
    auto x = std::make_shared<Eigen::VectorXd>(rhs->size());
    // The solver only refers to the matrix: the closure keeps it alive.
    return [matrix, solver, rhs, x] { *x = solver->solve(*rhs); };
}

/// Set-up of Eigen's incomplete Cholesky without the ordering, and CG to a true relative residual of 1e-3.
template <int kOrder, int kTriangle, class Ordering>
std::function<void()> eigenIc(const linalg::BlockMatrix& A, const linalg::BlockVector& b) {
    using Matrix = Eigen::SparseMatrix<double, kOrder>;
    using Solver =
        Eigen::ConjugateGradient<Matrix, kTriangle, Eigen::IncompleteCholesky<double, Eigen::Lower, Ordering>>;
    auto matrix = std::make_shared<Matrix>(pruned<kOrder>(A));
    auto solver = std::make_shared<Solver>();
    auto rhs = std::make_shared<Eigen::VectorXd>(b.flat());
    auto x = std::make_shared<Eigen::VectorXd>(rhs->size());
    solver->analyzePattern(*matrix);
    // It stops by the residual of the recursion, so the tolerance is tightened until the true one is small enough.
    for (double tolerance = 1e-3;; tolerance *= 0.9) {
        solver->setTolerance(tolerance);
        solver->factorize(*matrix);
        *x = solver->solve(*rhs);
        const Eigen::VectorXd residual = *rhs - *matrix * *x;
        if (residual.norm() <= 1e-3 * rhs->norm()) break;
        require(tolerance > 1e-5, "the true residual of Eigen's CG");
    }
    return [matrix, solver, rhs, x] {
        solver->factorize(*matrix);
        *x = solver->solve(*rhs);
    };
}

}  // namespace

std::function<void()> fastestEigenCg(const linalg::BlockMatrix& A, const linalg::BlockVector& b, int iterations) {
    return fastestOf({eigenCg<Eigen::RowMajor, Eigen::Lower | Eigen::Upper>(A, b, iterations),
                      eigenCg<Eigen::ColMajor, Eigen::Lower | Eigen::Upper>(A, b, iterations),
                      eigenCg<Eigen::RowMajor, Eigen::Lower>(A, b, iterations),
                      eigenCg<Eigen::RowMajor, Eigen::Upper>(A, b, iterations),
                      eigenCg<Eigen::ColMajor, Eigen::Lower>(A, b, iterations),
                      eigenCg<Eigen::ColMajor, Eigen::Upper>(A, b, iterations)});
}

std::function<void()> fastestEigenIc(const linalg::BlockMatrix& A, const linalg::BlockVector& b) {
    using Amd = Eigen::AMDOrdering<int>;
    using Natural = Eigen::NaturalOrdering<int>;
    return fastestOf({eigenIc<Eigen::ColMajor, Eigen::Lower, Amd>(A, b),
                      eigenIc<Eigen::ColMajor, Eigen::Lower, Natural>(A, b),
                      eigenIc<Eigen::RowMajor, Eigen::Lower | Eigen::Upper, Amd>(A, b),
                      eigenIc<Eigen::RowMajor, Eigen::Lower | Eigen::Upper, Natural>(A, b)});
}

}  // namespace clothlab::bench
