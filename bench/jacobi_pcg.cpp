#include "bench.hpp"
#include "eigen_peers.hpp"
#include "linalg/reduced_system.hpp"
#include "preconditioners/catalogue.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/iteration_matrix.hpp"

namespace clothlab::bench {
namespace {

constexpr int kIterations = 20;

/// kIterations of our loop on the same matrix, without set-up of the packed copy and the preconditioner.
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
        matrix.build(A, {.precision = linalg::Precision::Single}, pool);
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

    const std::function<void()> peer = fastestEigenCg(A, b, kIterations);
    OurCg single(A, b, 1), pair(A, b, 2);
    out.push_back(compare("jacobi_pcg_iteration_vs_eigen_1t", std::ref(single), peer));
    out.push_back(compare("jacobi_pcg_iteration_vs_eigen_2t", std::ref(pair), peer));

    MemoryReader reader(76 * std::size_t(A.occupiedBlocks()));
    linalg::BlockVector y(A.rows());
    linalg::PackedMatrix packed;
    packed.build(A, one);
    out.push_back(compare(
        "multiply_vs_memory_1t", [&] { packed.multiplyDot(b, y, one); }, [&] { reader.read(); }, 31));
}

}  // namespace clothlab::bench
