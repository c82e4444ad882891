#include <fmt/format.h>

#include "eigen_peers.hpp"
#include "factorizations.hpp"
#include "linalg/reduced_system.hpp"
#include "petsc_peer.hpp"
#include "preconditioners/kind.hpp"

namespace clothlab::bench {
namespace {

/// The ball that hits: with stretched and slack springs IC(0) breaks down and is shifted; the factor by size needs no
/// shift.
void hitRatio(std::vector<Ratio>& out) {
    const Frame hit = makeFrame({"ball-hit", 161, 6000, 50, "reduced-pcg", "matrix-core", true});
    WorkerPool one(1);
    linalg::ReducedSystem reduced;
    reduced.build(hit.system.view(), one);
    using preconditioners::PreconditionerKind::IncompleteCholesky;
    OurPcg byPattern(reduced.matrix(), nullptr, reduced.rhs(),
                     {.kind = IncompleteCholesky, .breakdown = preconditioners::BreakdownCure::Shift});
    OurPcg bySize(reduced.matrix(), nullptr, reduced.rhs(), {.kind = IncompleteCholesky, .dropTolerance = 3e-3});
    CholeskyPeer cholesky(reduced.matrix(), reduced.rhs());
    out.push_back(compare("block_ic0_vs_cholesky_hit_1t", std::ref(byPattern), std::ref(cholesky), 9));
    out.push_back(compare("block_ict_vs_cholesky_hit_1t", std::ref(bySize), std::ref(cholesky), 9));
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

    out.push_back(compare("block_ic0_vs_eigen_ic_1t", std::ref(ours), fastestEigenIc(A, b), 9));
    if (const auto petsc = fastestPetscIc(A, b))
        out.push_back(compare("block_ic0_vs_petsc_icc_1t", std::ref(ours), petsc, 9));
    else
        fmt::print(stderr, "no PETSc in this build: its row is left out (scripts/setup petsc, then configure again)\n");
    hitRatio(out);
}

}  // namespace clothlab::bench
