#include <gtest/gtest.h>

#include "preconditioners/kind.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"
#include "solvers/yardstick.hpp"
#include "support/random_systems.hpp"

namespace clothlab::solvers {
namespace {

using preconditioners::PreconditionerKind;

struct Solved {
    SolveSummary summary;
    linalg::BlockVector dv;
};

Solved solve(const linalg::LinearSystem& system, const SolverSettings& settings,
             PreconditionerKind with = PreconditionerKind::Jacobi, const SolveControl& control = {}) {
    WorkerPool pool(1);
    Solved run;
    makeSolver(settings, {with})->solve(system, run.dv, run.summary, control, pool);
    return run;
}

SolveSummary solveWith(const linalg::LinearSystem& system, const SolverSettings& settings,
                       const preconditioners::PreconditionerSettings& with, linalg::BlockVector& dv) {
    WorkerPool pool(1);
    SolveSummary summary;
    makeSolver(settings, with)->solve(system, dv, summary, {}, pool);
    return summary;
}

TEST(ConjugateGradients, TheResidualRuleHoldsForTheTrueResidual) {
    const auto system = testing::randomSystem(100, 41, 0.4);
    for (const double tolerance : {1e-2, 1e-5, 1e-9}) {
        const Solved run = solve(system.view(), {.kind = SolverKind::Mpcg, .tolerance = tolerance});
        EXPECT_EQ(run.summary.status, SolveStatus::Converged);
        EXPECT_LE(trueRelativeResidual(system.view(), run.dv), tolerance * (1 + 1e-9));
        EXPECT_NEAR(run.summary.trueRelativeResidual, trueRelativeResidual(system.view(), run.dv), 1e-3 * tolerance);
    }
}

TEST(ConjugateGradients, AnUnreachableToleranceEndsInAStatus) {
    const auto system = testing::randomSystem(60, 42);
    const Solved run = solve(system.view(), {.kind = SolverKind::ReducedPcg, .tolerance = 1e-14, .maxIterations = 5});
    EXPECT_EQ(run.summary.status, SolveStatus::MaxIterations);
    EXPECT_EQ(run.summary.iterations, 5);
}

TEST(ConjugateGradients, AnIndefiniteMatrixIsNamed) {
    auto system = testing::randomSystem(30, 43, 0.0);
    system.A.diagonal(4) -= 50 * Mat3::Identity();
    const Solved run =
        solve(system.view(), {.kind = SolverKind::Mpcg, .tolerance = 1e-10}, PreconditionerKind::Identity);
    EXPECT_EQ(run.summary.status, SolveStatus::Indefinite);
    EXPECT_NE(run.summary.message.find("p'Ap"), std::string::npos);
    // Jacobi detects it even earlier, in the diagonal.
    EXPECT_EQ(solve(system.view(), {.kind = SolverKind::Mpcg}).summary.status, SolveStatus::Breakdown);
}

/// The matrix core as LDL' ([Y] §6, "the system to be solved does not have to be positive definite"). Here the core is
/// the whole matrix and its factor an exact inverse. Conjugate gradients that continue at negative curvature then
/// converge at once. A Cholesky factor of the same core does not exist.
TEST(ConjugateGradients, AnIndefiniteMatrixIsSolvedWithTheCoreAsLdl) {
    auto system = testing::randomSystem(30, 43, 0.2);
    system.b.setZero();
    int changed = 0;
    for (Index row = 4; row < 30 && changed < 3; row += 2) {
        if (system.constraints.ndof(row) < 3) continue;
        system.A.diagonal(row) -= 50 * Mat3::Identity();
        system.b[row] = Vec3(100, 200, 300);
        ++changed;
    }
    linalg::BlockVector right;
    ASSERT_EQ(solveWith(system.view(), {.kind = SolverKind::CombinedLu}, {}, right).status, SolveStatus::Converged);
    for (const SolverKind kind : {SolverKind::Mpcg, SolverKind::ReducedPcg}) {
        SolverSettings settings{.kind = kind, .tolerance = 1e-10};
        preconditioners::PreconditionerSettings core{.kind = PreconditionerKind::MatrixCore};
        linalg::BlockVector dv;
        EXPECT_EQ(solveWith(system.view(), settings, core, dv).status, SolveStatus::Breakdown) << "Cholesky";
        core.coreFactor = preconditioners::CoreFactor::Ldl;
        EXPECT_EQ(solveWith(system.view(), settings, core, dv).status, SolveStatus::Indefinite) << "stops";
        settings.indefinite = Indefinite::GoOn;
        const SolveSummary done = solveWith(system.view(), settings, core, dv);
        EXPECT_EQ(done.status, SolveStatus::Converged) << done.message;
        EXPECT_LE(done.iterations, 3) << "the core is the whole matrix";
        EXPECT_LE((dv.flat() - right.flat()).norm(), 1e-7 * right.flat().norm());
        EXPECT_LE(trueRelativeResidual(system.view(), dv), 1e-10 * (1 + 1e-6));
        settings.stopping = Stopping::PNorm;
        EXPECT_EQ(solveWith(system.view(), settings, core, dv).status, SolveStatus::Refused) << "no norm";
    }
}

TEST(ConjugateGradients, NotFiniteIsNamed) {
    auto system = testing::randomSystem(30, 44);
    system.b[3][1] = NAN;
    for (const auto kind : {SolverKind::Mpcg, SolverKind::ReducedPcg, SolverKind::Cholesky}) {
        const auto free = testing::randomSystem(30, 44, 0.0);
        testing::RandomSystem poisoned{free.A, system.b, free.constraints};
        EXPECT_EQ(solve(poisoned.view(), {.kind = kind}).summary.status, SolveStatus::NotFinite) << enumKey(kind);
    }
}

TEST(ConjugateGradients, AStopTokenEndsIt) {
    const auto system = testing::randomSystem(60, 45);
    std::stop_source source;
    source.request_stop();
    const Solved run = solve(system.view(), {.kind = SolverKind::Mpcg, .tolerance = 1e-12}, PreconditionerKind::Jacobi,
                             {.stop = source.get_token()});
    EXPECT_EQ(run.summary.status, SolveStatus::Cancelled);
}

// A start from the previous solution is used, a harmful one is not.
TEST(ConjugateGradients, WarmStartIsTakenOnlyWhenItHelps) {
    const auto system = testing::randomSystem(100, 46, 0.4);
    for (const auto kind : {SolverKind::Mpcg, SolverKind::ReducedPcg}) {
        const Solved cold = solve(system.view(), {.kind = kind, .tolerance = 1e-8});
        linalg::BlockVector good = cold.dv, bad = cold.dv;
        good.flat() *= 1.0001;
        bad.flat() *= -50;
        linalg::LinearSystem view = system.view();
        view.previous = &good;
        const Solved warm = solve(view, {.kind = kind, .tolerance = 1e-8});
        EXPECT_LT(warm.summary.iterations, cold.summary.iterations - 5);
        view.previous = &bad;
        EXPECT_EQ(solve(view, {.kind = kind, .tolerance = 1e-8}).summary.iterations, cold.summary.iterations);
        view.previous = &good;
        EXPECT_EQ(solve(view, {.kind = kind, .tolerance = 1e-8, .warmStart = false}).summary.iterations,
                  cold.summary.iterations);
    }
}

TEST(ConjugateGradients, PapersRulesAndVariantsReachTheSameSolution) {
    const auto system = testing::randomSystem(60, 47, 0.5);
    const testing::DenseMatrix expected = system.denseSolution();
    for (const auto stopping : {Stopping::PNorm, Stopping::Absolute})
        for (const auto variant : {MpcgVariant::Corrected, MpcgVariant::Original}) {
            const Solved run =
                solve(system.view(),
                      {.kind = SolverKind::Mpcg, .tolerance = 1e-11, .stopping = stopping, .mpcgVariant = variant});
            EXPECT_EQ(run.summary.status, SolveStatus::Converged);
            EXPECT_LT((run.dv - expected).norm(), 1e-8 * expected.norm());
        }
}

// A factor that is too old is renewed within the solve, and the stopping rule then uses the new factor's norm.
TEST(ConjugateGradients, AFreshFactorBringsItsOwnPNorm) {
    const auto system = testing::randomSystem(60, 51, 0.5);
    auto before = system;
    for (Index k = 0; k < before.A.pattern().blocks(); ++k) before.A.block(k) *= 1e-14;
    for (Index i = 0; i < 60; ++i) before.A.diagonal(i) += 1e-14 * (1 + i % 7) * Mat3::Identity();
    using testing::DenseMatrix;
    const DenseMatrix S = system.denseS(), A(system.A), b = system.b;
    const DenseMatrix inverse = (S * A * S + DenseMatrix::identity(S.rows()) - S).inverse();
    const auto energy = [&](const DenseMatrix& v) { return v.dot(inverse * v); };
    const double tolerance = 1e-6;
    for (const auto& [kind, variant] : {std::pair{SolverKind::ReducedPcg, MpcgVariant::Corrected},
                                        {SolverKind::Mpcg, MpcgVariant::Corrected},
                                        {SolverKind::Mpcg, MpcgVariant::Original}}) {
        const auto solver = makeSolver({.kind = kind,
                                        .tolerance = tolerance,
                                        .stopping = Stopping::PNorm,
                                        .warmStart = false,
                                        .mpcgVariant = variant},
                                       {.kind = PreconditionerKind::LaggedCholesky, .patience = 3});
        WorkerPool pool(1);
        Solved run;
        solver->solve(before.view(), run.dv, run.summary, {}, pool);
        solver->solve(system.view(), run.dv, run.summary, {}, pool);
        ASSERT_EQ(run.summary.status, SolveStatus::Converged);
        ASSERT_EQ(run.summary.factorAge, 0) << "no factor was made: nothing is tested";
        const DenseMatrix rhs = S * (b - (variant == MpcgVariant::Original ? 0.0 : 1.0) * (A * system.denseZ()));
        const DenseMatrix left = S * (b - A * run.dv);
        EXPECT_LE(energy(left), tolerance * tolerance * energy(rhs)) << enumKey(kind) << enumKey(variant);
    }
}

// With 3 n unknowns CG ends after about 3 n steps.
TEST(ConjugateGradients, EndsWithinTheNumberOfUnknowns) {
    const auto system = testing::randomSystem(7, 48, 0.0);
    const Solved run =
        solve(system.view(), {.kind = SolverKind::Mpcg, .tolerance = 1e-10}, PreconditionerKind::Identity);
    EXPECT_LE(run.summary.iterations, 23);
    EXPECT_GT(run.summary.iterations, 5);
}

TEST(ConjugateGradients, AZeroRightHandSideNeedsNoIteration) {
    auto system = testing::randomSystem(20, 49, 0.0);
    system.b.setZero();
    for (const auto kind : {SolverKind::Mpcg, SolverKind::ReducedPcg, SolverKind::Cholesky}) {
        const Solved run = solve(system.view(), {.kind = kind});
        EXPECT_EQ(run.summary.status, SolveStatus::Converged);
        EXPECT_EQ(run.summary.iterations, 0);
        EXPECT_TRUE(run.dv.flat().isZero(0.0));
    }
}

TEST(ConjugateGradients, AFullyPrescribedSystemIsItsZ) {
    auto system = testing::randomSystem(10, 50, 0.0);
    for (Index i = 0; i < 10; ++i) system.constraints.set({.particle = i, .ndof = 0, .z = Vec3(i, 1, 2)});
    system.constraints.sort();
    for (const auto kind : {SolverKind::Mpcg, SolverKind::ReducedPcg, SolverKind::Cholesky})
        for (const auto precision : {linalg::Precision::Double, linalg::Precision::Single})
            for (const auto stopping : {Stopping::Residual, Stopping::PNorm, Stopping::Absolute}) {
                const Solved run =
                    solve(system.view(), {.kind = kind, .stopping = stopping, .matrixPrecision = precision});
                EXPECT_EQ(run.summary.status, SolveStatus::Converged) << enumKey(kind) << run.summary.message;
                EXPECT_LT((run.dv[4] - Vec3(4, 1, 2)).norm(), 1e-14);
            }
}

// The true residual that a solver reports, if any, is the one measured outside.
TEST(ConjugateGradients, TheTrueResidualIsTheYardsticks) {
    auto system = testing::randomSystem(60, 51, 0.5);
    for (const auto variant : {MpcgVariant::Corrected, MpcgVariant::Original}) {
        const Solved run = solve(system.view(), {.kind = SolverKind::Mpcg, .tolerance = 1e-6, .mpcgVariant = variant});
        ASSERT_EQ(run.summary.status, SolveStatus::Converged);
        const double measured = trueRelativeResidual(system.view(), run.dv);
        if (variant == MpcgVariant::Original)
            EXPECT_LT(run.summary.trueRelativeResidual, 0);
        else
            EXPECT_NEAR(run.summary.trueRelativeResidual, measured, 1e-9 * measured + 1e-15);
    }
}

}  // namespace
}  // namespace clothlab::solvers
