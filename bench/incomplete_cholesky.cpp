#include <Eigen/IterativeLinearSolvers>

#include "base/stage_timer.hpp"
#include "factorizations.hpp"
#include "linalg/reduced_system.hpp"
#include "preconditioners/kind.hpp"
#include "pruned.hpp"

namespace clothlab::bench {
namespace {

/// Eigen's incomplete Cholesky, set-up without its ordering, and CG to a true relative residual of 1e-3.
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
    // Its rule is on the residual of the recursion: tightened until the true one holds.
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

/// The ball that hits: stretched and slack springs, and the shifts that they may ask for.
void hitRatio(std::vector<Ratio>& out) {
    const Frame hit = makeFrame({"ball-hit", 161, 6000, 50, "reduced-pcg", "matrix-core", true});
    WorkerPool one(1);
    linalg::ReducedSystem reduced;
    reduced.build(hit.system.view(), one);
    OurPcg ours(reduced.matrix(), nullptr, reduced.rhs(), {preconditioners::PreconditionerKind::IncompleteCholesky});
    CholeskyPeer cholesky(reduced.matrix(), reduced.rhs());
    out.push_back(compare("block_ic0_vs_cholesky_hit_1t", std::ref(ours), std::ref(cholesky), 9));
}

}  // namespace

void incompleteCholeskyRatios(const Frame& frame, std::vector<Ratio>& out) {
    WorkerPool one(1);
    linalg::ReducedSystem reduced;
    reduced.build(frame.system.view(), one);
    const linalg::BlockMatrix& A = reduced.matrix();
    const linalg::BlockVector& b = reduced.rhs();
    OurPcg ours(A, nullptr, b, {preconditioners::PreconditionerKind::IncompleteCholesky});
    CholeskyPeer cholesky(A, b);
    out.push_back(compare("block_ic0_vs_cholesky_1t", std::ref(ours), std::ref(cholesky), 9));

    using Amd = Eigen::AMDOrdering<int>;
    using Natural = Eigen::NaturalOrdering<int>;
    const std::function<void()> peers[] = {eigenIc<Eigen::ColMajor, Eigen::Lower, Amd>(A, b),
                                           eigenIc<Eigen::ColMajor, Eigen::Lower, Natural>(A, b),
                                           eigenIc<Eigen::RowMajor, Eigen::Lower | Eigen::Upper, Amd>(A, b),
                                           eigenIc<Eigen::RowMajor, Eigen::Lower | Eigen::Upper, Natural>(A, b)};
    std::size_t fastest = 0;
    double best = 1e300;
    for (std::size_t k = 0; k < std::size(peers); ++k)
        for (int repeat = 0; repeat < 2; ++repeat) {
            StageTimer timer;
            peers[k]();
            if (const double seconds = timer.seconds(); seconds < best) {
                best = seconds;
                fastest = k;
            }
        }
    out.push_back(compare("block_ic0_vs_eigen_ic_1t", std::ref(ours), peers[fastest], 9));
    hitRatio(out);
}

}  // namespace clothlab::bench
