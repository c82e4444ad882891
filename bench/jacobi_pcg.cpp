#include <Eigen/IterativeLinearSolvers>

#include "base/stage_timer.hpp"
#include "bench.hpp"
#include "linalg/reduced_system.hpp"
#include "preconditioners/catalogue.hpp"
#include "preconditioners/kind.hpp"
#include "pruned.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/iteration_matrix.hpp"

namespace clothlab::bench {
namespace {

constexpr int kIterations = 20;

/// kIterations of Eigen's CG with its diagonal preconditioner, set-up not timed.
template <int kOrder, int kTriangle>
std::function<void()> eigenCg(const linalg::BlockMatrix& A, const linalg::BlockVector& b) {
    using Matrix = Eigen::SparseMatrix<double, kOrder>;
    using Solver = Eigen::ConjugateGradient<Matrix, kTriangle, Eigen::DiagonalPreconditioner<double>>;
    auto matrix = std::make_shared<Matrix>(pruned<kOrder>(A));
    auto solver = std::make_shared<Solver>();
    solver->setMaxIterations(kIterations);
    solver->setTolerance(1e-300);
    solver->compute(*matrix);
    auto rhs = std::make_shared<Eigen::VectorXd>(b.flat());
    auto x = std::make_shared<Eigen::VectorXd>(rhs->size());
    // The solver only refers to the matrix: the closure keeps it alive.
    return [matrix, solver, rhs, x] { *x = solver->solve(*rhs); };
}

/// kIterations of our loop on the same matrix; the packed copy and the preconditioner are set up before.
struct OurCg {
    solvers::IterationMatrix matrix;
    std::unique_ptr<preconditioners::Preconditioner> jacobi =
        preconditioners::makePreconditioner({preconditioners::PreconditionerKind::Jacobi});
    WorkerPool pool;
    linalg::BlockVector x;
    solvers::CgScratch scratch;
    const linalg::BlockVector& b;

    OurCg(const linalg::BlockMatrix& A, const linalg::BlockVector& rhs, int threads)
        : pool(threads), x(A.rows()), b(rhs) {
        matrix.build(A, linalg::Precision::Single, pool);
        jacobi->analyze(A, nullptr, pool);
        jacobi->update({A}, pool);
        for (linalg::BlockVector* v : {&scratch.q, &scratch.z}) v->resize(A.rows());
    }
    void operator()() {
        x.setZero();
        scratch.r = b;
        const solvers::CgProblem problem{
            .multiply = [this](const linalg::BlockVector& p,
                               linalg::BlockVector& q) { return matrix.multiplyDot(p, q, pool); },
            .filter = [](linalg::BlockVector&) {},
            .residual = [](const linalg::BlockVector&, linalg::BlockVector&) {},
            .preconditioner = *jacobi,
            .rhsNorm2 = 1.0,
            .rhsPNorm = 1.0,
        };
        solvers::SolveSummary summary;
        solvers::conjugateGradients(problem, {solvers::Stopping::Residual, 0.0, kIterations}, {x, scratch, summary}, {},
                                    pool);
    }
};

}  // namespace

void jacobiPcgRatios(const Frame& frame, std::vector<Ratio>& out) {
    WorkerPool one(1);
    linalg::ReducedSystem reduced;
    reduced.build(frame.system.view(), one);
    const linalg::BlockMatrix& A = reduced.matrix();
    const linalg::BlockVector& b = reduced.rhs();

    const std::function<void()> peers[] = {eigenCg<Eigen::RowMajor, Eigen::Lower | Eigen::Upper>(A, b),
                                           eigenCg<Eigen::ColMajor, Eigen::Lower | Eigen::Upper>(A, b),
                                           eigenCg<Eigen::RowMajor, Eigen::Lower>(A, b),
                                           eigenCg<Eigen::RowMajor, Eigen::Upper>(A, b),
                                           eigenCg<Eigen::ColMajor, Eigen::Lower>(A, b),
                                           eigenCg<Eigen::ColMajor, Eigen::Upper>(A, b)};
    std::size_t fastest = 0;
    double best = 1e300;
    for (std::size_t k = 0; k < std::size(peers); ++k) {
        peers[k]();
        for (int repeat = 0; repeat < 3; ++repeat) {
            StageTimer timer;
            peers[k]();
            if (const double seconds = timer.seconds(); seconds < best) {
                best = seconds;
                fastest = k;
            }
        }
    }
    OurCg single(A, b, 1), pair(A, b, 2);
    out.push_back(compare("jacobi_pcg_iteration_vs_eigen_1t", std::ref(single), peers[fastest]));
    out.push_back(compare("jacobi_pcg_iteration_vs_eigen_2t", std::ref(pair), peers[fastest]));

    MemoryReader reader(76 * std::size_t(A.occupiedBlocks()));
    linalg::BlockVector y(A.rows());
    linalg::PackedMatrix packed;
    packed.build(A, one);
    out.push_back(compare(
        "multiply_vs_memory_1t", [&] { packed.multiplyDot(b, y, one); }, [&] { reader.read(); }, 31));
}

}  // namespace clothlab::bench
