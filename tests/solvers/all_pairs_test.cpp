#include <gtest/gtest.h>

#include "method_pairs.hpp"
#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"
#include "solvers/yardstick.hpp"
#include "support/random_systems.hpp"
#include "support/sanitizers.hpp"

namespace clothlab::solvers {
namespace {

using preconditioners::PreconditionerKind;
using preconditioners::PreconditionerSettings;

SolveSummary solveWith(const testing::RandomSystem& system, SolverSettings settings, PreconditionerKind preconditioner,
                       linalg::BlockVector& dv, int threads = 1, const SolveControl& control = {}) {
    WorkerPool pool(threads, 0);
    SolveSummary summary;
    makeSolver(settings, PreconditionerSettings{preconditioner})->solve(system.view(), dv, summary, control, pool);
    return summary;
}

/// Every solver with every preconditioner that it accepts, on systems with particles of every ndof.
TEST(AllPairs, AgreeWithTheDenseSolution) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    for (const bool asymmetric : {false, true})
        for (const auto& [method, name] : testing::allMethods()) {
            const auto system = testing::randomSystem(70, 31, 0.6, asymmetric);
            linalg::BlockVector dv;
            const auto summary =
                solveWith(system, {.kind = method.solver.kind, .tolerance = 1e-12}, method.preconditioner.kind, dv);
            EXPECT_EQ(summary.status, SolveStatus::Converged) << name << summary.message;
            const testing::DenseMatrix expected = system.denseSolution();
            EXPECT_LT((dv - expected).norm(), 1e-9 * expected.norm()) << name;
            EXPECT_LT(trueRelativeResidual(system.view(), dv), 1e-10);
        }
}

// On a cloth that sticks everywhere nothing is left to solve, and every method reports success.
TEST(AllPairs, NothingFreeIsSolvedByWhatIsPrescribed) {
    auto system = testing::randomSystem(12, 38, 0.0);
    for (Index i = 0; i < 12; ++i) system.constraints.set({.particle = i, .ndof = 0, .z = Vec3(0.1 * i, -1, 2)});
    system.constraints.sort();
    for (const auto& [method, name] : testing::allMethods()) {
        linalg::BlockVector dv;
        const auto summary = solveWith(system, {.kind = method.solver.kind, .form = DirectForm::Reduced},
                                       method.preconditioner.kind, dv);
        EXPECT_EQ(summary.status, SolveStatus::Converged) << name << summary.message;
        EXPECT_LT((dv - system.denseZ()).norm(), 1e-12) << name;
    }
}

// MPCG with P is reduced PCG with P~^-1 = U^T P^-1 U. With only ndof 0 and 3 that holds for every preconditioner; with
// ndof 1 and 2, for the identity and for constrained block against block Jacobi of the reduced system.
TEST(AllPairs, MpcgAndReducedPcgCountTheSameIterations) {
    const auto count = [](const testing::RandomSystem& system, SolverKind kind, PreconditionerKind with) {
        linalg::BlockVector dv;
        return solveWith(system, {.kind = kind, .tolerance = 1e-8}, with, dv).iterations;
    };
    auto fixedOnly = testing::randomSystem(60, 32, 0.0);
    for (Index i = 0; i < 60; i += 4) fixedOnly.constraints.set({.particle = i, .ndof = 0, .z = Vec3(1, -1, 0.5)});
    fixedOnly.constraints.sort();
    for (const auto with : {PreconditionerKind::Identity, PreconditionerKind::Jacobi, PreconditionerKind::BlockJacobi})
        EXPECT_NEAR(count(fixedOnly, SolverKind::Mpcg, with), count(fixedOnly, SolverKind::ReducedPcg, with), 2);

    const auto mixed = testing::randomSystem(60, 33, 0.7);
    EXPECT_NEAR(count(mixed, SolverKind::Mpcg, PreconditionerKind::Identity),
                count(mixed, SolverKind::ReducedPcg, PreconditionerKind::Identity), 2);
    EXPECT_NEAR(count(mixed, SolverKind::Mpcg, PreconditionerKind::ConstrainedBlock),
                count(mixed, SolverKind::ReducedPcg, PreconditionerKind::BlockJacobi), 2);
    // Block methods on SAS + s(I - S) are block methods on the reduced system.
    for (const auto with : {PreconditionerKind::Ssor, PreconditionerKind::IncompleteCholesky,
                            PreconditionerKind::IncompletePoisson, PreconditionerKind::MatrixCore})
        EXPECT_NEAR(count(mixed, SolverKind::Mpcg, with), count(mixed, SolverKind::ReducedPcg, with), 1);
}

// (I - S) x = (I - S) z and S r = r in every iteration of MPCG.
TEST(AllPairs, MpcgKeepsItsInvariants) {
    const auto system = testing::randomSystem(60, 34, 0.7);
    const testing::DenseMatrix S = system.denseS(), I = testing::DenseMatrix::identity(S.rows()), z = system.denseZ();
    int seen = 0;
    SolveControl control{.observer = [&](const Iterate& it) {
        ++seen;
        EXPECT_LT(((I - S) * it.x - z).maxAbs(), 1e-13) << it.k;
        EXPECT_LT((S * it.r - it.r).maxAbs(), 1e-13) << it.k;
    }};
    linalg::BlockVector dv;
    const auto summary =
        solveWith(system, {.kind = SolverKind::Mpcg, .tolerance = 1e-9}, PreconditionerKind::Jacobi, dv, 1, control);
    EXPECT_EQ(seen, summary.iterations + 1);
    EXPECT_EQ(summary.history.size(), std::size_t(summary.iterations) + 1);
}

// The unsymmetric SC + I - S and the symmetric SCS + I - S give the same iterates on range(S).
TEST(AllPairs, UnsymmetricConstrainedBlockActsTheSameOnRangeS) {
    const auto system = testing::randomSystem(40, 35, 0.7);
    std::mt19937 rng(1);
    for (const auto& c : system.constraints.constrained()) {
        const Mat3 C = system.A.diagonal(c.particle), S = c.S(), I = Mat3::Identity();
        const Vec3 r = S * testing::randomVec3(rng);
        const Vec3 published = testing::solve(S * C + I - S, r), symmetric = testing::solve(S * C * S + I - S, r);
        EXPECT_LT((published - symmetric).norm(), 1e-12 * (1 + published.norm()));
    }
}

TEST(AllPairs, SameBitsAtAnyNumberOfThreads) {
    const auto system = testing::randomSystem(1500, 36, 0.3);
    for (const auto kind : {SolverKind::Mpcg, SolverKind::ReducedPcg}) {
        linalg::BlockVector one, two, four;
        const SolverSettings settings{.kind = kind, .tolerance = 1e-6};
        solveWith(system, settings, PreconditionerKind::BlockJacobi, one, 1);
        solveWith(system, settings, PreconditionerKind::BlockJacobi, two, 2);
        solveWith(system, settings, PreconditionerKind::BlockJacobi, four, 4);
        EXPECT_TRUE(one == two);
        EXPECT_TRUE(one == four);
    }
}

// lambda = A dv - b: S lambda vanishes, and the rest holds the constraints.
TEST(AllPairs, ConstraintImpulseLiesInTheRemovedDirections) {
    const auto system = testing::randomSystem(50, 37, 0.6);
    linalg::BlockVector dv, lambda;
    solveWith(system, {.kind = SolverKind::Cholesky}, PreconditionerKind::Identity, dv);
    WorkerPool pool(1);
    constraintImpulse(system.view(), dv, lambda, pool);
    const testing::DenseMatrix impulse = testing::DenseMatrix(system.A) * dv - system.b;
    EXPECT_LT((impulse - lambda).norm(), 1e-10 * impulse.norm());
    EXPECT_LT((system.denseS() * lambda).norm(), 1e-10 * testing::norm(lambda));
}

}  // namespace
}  // namespace clothlab::solvers
