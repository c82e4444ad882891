#include <gtest/gtest.h>

#include "linalg/constrained_matrix.hpp"
#include "preconditioners/catalogue.hpp"
#include "preconditioners/chebyshev.hpp"
#include "preconditioners/incomplete_cholesky.hpp"
#include "preconditioners/kind.hpp"
#include "preconditioners/matrix_core.hpp"
#include "solvers/kind.hpp"
#include "solvers/solver.hpp"
#include "support/core_grid.hpp"

namespace clothlab::preconditioners {
namespace {

using testing::DenseMatrix;

struct Grid : testing::GridWithCore {
    explicit Grid(Index side, unsigned seed = 61) : GridWithCore(side, seed) {}
    int iterations(const PreconditionerSettings& with) const {
        solvers::SolveSummary summary;
        linalg::BlockVector dv;
        WorkerPool pool;
        solvers::makeSolver({.tolerance = 1e-8}, with)->solve(view(), dv, summary, {}, pool);
        EXPECT_EQ(summary.status, solvers::SolveStatus::Converged) << enumKey(with.kind) << summary.message;
        return summary.iterations;
    }
    /// P^-1 A, dense.
    DenseMatrix preconditioned(Preconditioner& p) const {
        WorkerPool pool;
        p.analyze(system.A, &core, pool);
        EXPECT_TRUE(p.update({system.A, &core}, pool).usable);
        const DenseMatrix A(system.A);
        DenseMatrix out = DenseMatrix::zero(A.rows(), A.cols());
        linalg::BlockVector r(system.A.rows()), z(system.A.rows());
        for (Eigen::Index c = 0; c < A.cols(); ++c) {
            for (Eigen::Index i = 0; i < A.rows(); ++i) r.data()[i] = A(i, c);
            p.applyDot(r, z, pool);
            out.setColumn(c, z);
        }
        return out;
    }
};

TEST(FillLevel, KeepsWhatTheMatrixFillsDirectlyAndNeedsFewerIterations) {
    const Grid grid(9);
    const linalg::BlockMatrix& A = grid.system.A;
    WorkerPool pool;
    IncompleteCholesky<double> one({.fillLevel = 1});
    one.analyze(A, nullptr, pool);
    ASSERT_TRUE(one.update({A}, pool).usable);
    // Brute force: (i, j) is kept if A has it, or if some k < j has both.
    const auto has = [&](Index i, Index j) {
        const Index k = A.pattern().find(i, j);
        return k >= 0 && A.occupied(k);
    };
    Index expected = 0;
    for (Index i = 0; i < A.rows(); ++i)
        for (Index j = 0; j < i; ++j) {
            bool kept = has(i, j);
            for (Index k = 0; k < j && !kept; ++k) kept = has(i, k) && has(j, k);
            expected += kept;
        }
    EXPECT_EQ(one.triangle().blocks(), expected);
    EXPECT_LT(grid.iterations({.kind = PreconditionerKind::IncompleteCholesky, .fillLevel = 1}),
              grid.iterations({.kind = PreconditionerKind::IncompleteCholesky}));
}

// Ajiz and Jennings: P - A is positive semidefinite, so no eigenvalue of P^-1 A exceeds 1, and no pivot is indefinite
// as in the plain factor.
TEST(Compensation, OnlyAddsToTheMatrixAndNeverBreaksDown) {
    const Grid grid(7, 62);
    IncompleteCholesky<double> compensated({.breakdown = BreakdownCure::Compensate});
    const DenseMatrix eigenvalues = grid.preconditioned(compensated).eigenvalues();
    EXPECT_LE(eigenvalues.maxCoeff(), 1 + 1e-10);
    EXPECT_GT(eigenvalues.minCoeff(), 0);
    IncompleteCholesky<double> plain({});
    EXPECT_GT(grid.preconditioned(plain).eigenvalues().maxCoeff(), 1 + 1e-3);  // plain IC(0) exceeds 1

    // IC(0) breaks down on this definite matrix: nearly singular, with strong fill.
    testing::RandomSystem tight = testing::randomSystem(40, 63, 0.0);
    const double smallest = DenseMatrix(tight.A).symmetricEigenvalues().minCoeff();
    for (Index i = 0; i < 40; ++i) tight.A.diagonal(i) -= 0.999 * smallest * Mat3::Identity();
    WorkerPool pool;
    IncompleteCholesky<double> cured({.breakdown = BreakdownCure::Compensate});
    cured.analyze(tight.A, nullptr, pool);
    const Outcome outcome = cured.update({tight.A}, pool);
    EXPECT_TRUE(outcome.usable);
    EXPECT_EQ(outcome.shift, 0);
}

/// The dense core: without the blocks outside, but with their share of the diagonal: the whole blocks, or in the scalar
/// reading only their diagonals.
TEST(MatrixCore, IsItsDefinitionInBothReadingsAndWithShear) {
    const Grid grid(5, 64);
    const linalg::BlockPattern& p = grid.system.A.pattern();
    for (const bool scalar : {false, true})
        for (const bool shear : {false, true}) {
            DenseMatrix core(grid.system.A);
            const std::uint8_t kept = shear ? 7 : 5;
            for (Index i = 0; i < p.rows; ++i)
                for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
                    const Index j = p.column[k];
                    if (i == j || (grid.core.offDiagonal[k] & kept)) continue;
                    Mat3 own = -core.block(i, j);  // this pair's share of the diagonal
                    own.diagonal().setZero();
                    if (scalar) core.addBlock(i, i, -own);
                    core.setBlock(i, j, Mat3::Zero());
                }
            linalg::CoreMask mask = grid.core;
            WorkerPool pool;
            if (scalar) linalg::outsideOfCore(grid.system.A, grid.core, kept, mask.outside, pool);
            for (const auto precision : {linalg::Precision::Double, linalg::Precision::Single}) {
                const PreconditionerSettings with{.kind = PreconditionerKind::MatrixCore,
                                                  .variant = scalar ? Variant::Point : Variant::Block,
                                                  .precision = precision,
                                                  .shearInCore = shear};
                MatrixCore preconditioner(with);
                EXPECT_EQ(traitsFor(with).outsideBits(), scalar ? kept : 0);
                preconditioner.analyze(grid.system.A, &mask, pool);
                ASSERT_TRUE(preconditioner.update({grid.system.A, &mask}, pool).usable);
                linalg::BlockVector r(p.rows), z(p.rows);
                for (Index k = 0; k < 3 * p.rows; ++k) r.data()[k] = -1 + 3.0 * k / (3 * p.rows - 1);
                preconditioner.applyDot(r, z, pool);
                const double limit = precision == linalg::Precision::Double ? 1e-12 : 1e-6;
                EXPECT_LT((core * z - r).norm(), limit * testing::norm(r)) << scalar << shear;
            }
        }
}

// With the scalar reading both solvers give the same solution, for constraints of every ndof.
TEST(MatrixCore, ScalarReadingSolvesTheConstrainedSystem) {
    Grid grid(6, 65);
    std::mt19937 rng(4);
    for (Index i = 0; i < 36; i += 3)
        grid.system.constraints.set({.particle = i,
                                     .ndof = int(i / 3 % 3),
                                     .p = testing::randomVec3(rng),
                                     .q = testing::randomVec3(rng),
                                     .z = testing::randomVec3(rng)});
    grid.system.constraints.sort();
    const DenseMatrix expected = grid.system.denseSolution();
    for (const auto kind : {solvers::SolverKind::Mpcg, solvers::SolverKind::ReducedPcg}) {
        solvers::SolveSummary summary;
        linalg::BlockVector dv;
        WorkerPool pool;
        const PreconditionerSettings with{.kind = PreconditionerKind::MatrixCore, .variant = Variant::Point};
        solvers::makeSolver({.kind = kind, .tolerance = 1e-12}, with)->solve(grid.view(), dv, summary, {}, pool);
        EXPECT_LT((dv - expected).norm(), 1e-9 * expected.norm()) << enumKey(kind);
    }
}

TEST(IncompleteCholesky, OfTheCoreIgnoresTheRest) {
    const Grid grid(8, 66);
    IncompleteCholesky<double> whole({}), core({.factorOf = FactorOf::Core});
    WorkerPool pool;
    for (IncompleteCholesky<double>* p : {&whole, &core}) {
        p->analyze(grid.system.A, &grid.core, pool);
        ASSERT_TRUE(p->update({grid.system.A, &grid.core}, pool).usable);
    }
    Index inCore = 0;
    const linalg::BlockPattern& p = grid.system.A.pattern();
    for (Index i = 0; i < p.rows; ++i)
        for (Index k = p.rowStart[i]; k < p.diagonal[i]; ++k)
            inCore += grid.system.A.occupied(k) && (grid.core.offDiagonal[k] & linalg::CoreMask::kCore);
    EXPECT_EQ(core.triangle().blocks(), inCore);
    EXPECT_LT(core.triangle().blocks(), whole.triangle().blocks());
}

TEST(LaggedCholesky, IsRefreshedByAgeAndByPatienceAndForgets) {
    Grid grid(8, 67);
    solvers::SolveSummary summary;
    linalg::BlockVector dv;
    WorkerPool pool;
    const auto solver = solvers::makeSolver({.tolerance = 1e-10, .warmStart = false},
                                            {.kind = PreconditionerKind::LaggedCholesky, .maxAge = 3, .patience = 12});
    const auto age = [&] {
        solver->solve(grid.view(), dv, summary, {}, pool);
        EXPECT_EQ(summary.status, solvers::SolveStatus::Converged) << summary.message;
        const DenseMatrix expected = grid.system.denseSolution();
        EXPECT_LT((dv - expected).norm(), 1e-8 * expected.norm());
        return summary.factorAge;
    };
    EXPECT_EQ(age(), 0);
    EXPECT_LE(summary.iterations, 2);  // the matrix is the factored one: a direct solve
    for (Index i = 0; i < 64; ++i) grid.system.A.diagonal(i) += 0.05 * Mat3::Identity();
    EXPECT_EQ(age(), 1);
    EXPECT_GT(summary.iterations, 2);
    EXPECT_EQ(age(), 2);
    EXPECT_EQ(age(), 0);  // three solves have used it
    // On a matrix far from the factored one the solve stops, factors it and continues.
    std::mt19937 rng(5);
    for (Index i = 0; i < 64; ++i) {
        const Vec3 n = testing::randomVec3(rng);
        grid.system.A.diagonal(i) += 300 * n * n.transpose();
    }
    EXPECT_EQ(age(), 0);
    EXPECT_GT(summary.iterations, 12);
    EXPECT_LE(summary.iterations, 12 + 3);
    EXPECT_EQ(summary.history.size(), std::size_t(summary.iterations) + 1);
    EXPECT_EQ(age(), 1);
    solver->forget();
    EXPECT_EQ(age(), 0);
}

// P^-1 A = I - T_m(..)/T_m(..): the spectrum is symmetric about 1, and narrower for a higher degree.
TEST(Chebyshev, FlattensTheSpectrumWithTheDegree) {
    const Grid grid(6, 68);
    double before = 1e300;
    for (const int degree : {1, 2, 4, 8, 16}) {
        Chebyshev chebyshev(degree);
        const DenseMatrix eigenvalues = grid.preconditioned(chebyshev).eigenvalues();
        EXPECT_GT(eigenvalues.minCoeff(), 0) << degree;
        EXPECT_LT(eigenvalues.maxCoeff(), 2) << degree;
        const double condition = eigenvalues.maxCoeff() / eigenvalues.minCoeff();
        EXPECT_LT(condition, before) << degree;
        before = condition;
    }
    EXPECT_LT(before, 1.86);  // (T + 1) / (T - 1) with T = T_16 at the end of the interval, 3.36
    // The interval is based on the largest eigenvalue of block Jacobi, which for springs is at most 2.
    BlockJacobi blocks;
    EXPECT_LE(grid.preconditioned(blocks).eigenvalues().maxCoeff(), 2 + 1e-12);
}

}  // namespace
}  // namespace clothlab::preconditioners
