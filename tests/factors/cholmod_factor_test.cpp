#include "factors/cholmod_factor.hpp"

#include <gtest/gtest.h>

#include "support/random_systems.hpp"

namespace clothlab::factors {

using namespace linalg;
namespace {

TEST(CholmodFactor, EveryOrderingAndFactorizationSolves) {
    const auto system = testing::randomSystem(80, 21, 0.0, true);
    WorkerPool pool;
    const testing::DenseMatrix expected = testing::DenseMatrix(system.A).solveSymmetric(system.b);
    for (const EnumEntry& ordering : enumTable(Ordering{}))
        for (const EnumEntry& kind : enumTable(Factorization{})) {
            CholmodFactor factor;
            BlockVector x;
            ASSERT_TRUE(factor.analyze(system.A.pattern(), static_cast<Ordering>(ordering.value),
                                       static_cast<Factorization>(kind.value)));
            ASSERT_TRUE(factor.factorize(system.A, pool)) << factor.message();
            ASSERT_TRUE(factor.solve(system.b, x, pool));
            EXPECT_LT((x - expected).norm(), 1e-11 * expected.norm()) << ordering.key << " " << kind.key;
            EXPECT_GT(factor.fill(), 6.0 * 80);
        }
}

TEST(CholmodFactor, BestIsNoWorseThanEither) {
    const auto system = testing::randomSystem(400, 22, 0.0);
    double fill[3];
    for (const Ordering o : {Ordering::Best, Ordering::Amd, Ordering::Metis}) {
        CholmodFactor factor;
        ASSERT_TRUE(factor.analyze(system.A.pattern(), o, Factorization::Supernodal));
        fill[int(o)] = factor.fill();
    }
    EXPECT_EQ(fill[0], std::min(fill[1], fill[2]));
}

TEST(CholmodFactor, SaysWhenTheMatrixIsNotDefinite) {
    for (const Factorization kind : {Factorization::Multifrontal, Factorization::Supernodal}) {
        auto system = testing::randomSystem(20, 23, 0.0);
        system.A.diagonal(7) -= 100 * Mat3::Identity();
        CholmodFactor factor;
        WorkerPool pool;
        ASSERT_TRUE(factor.analyze(system.A.pattern(), Ordering::Amd, kind));
        EXPECT_FALSE(factor.factorize(system.A, pool));
        EXPECT_NE(factor.message().find("not positive definite"), std::string::npos) << factor.message();
        // It recovers with the next matrix.
        system.A.diagonal(7) += 200 * Mat3::Identity();
        EXPECT_TRUE(factor.factorize(system.A, pool)) << factor.message();
    }
}

/// The solution by CHOLMOD's own numeric phase, for comparison.
BlockVector cholmodsSolution(const testing::RandomSystem& system) {
    WorkerPool alone;
    CholmodFactor reference;
    BlockVector x;
    EXPECT_TRUE(reference.analyze(system.A.pattern(), Ordering::Metis, Factorization::Supernodal));
    EXPECT_TRUE(reference.factorize(system.A, alone));
    EXPECT_TRUE(reference.solve(system.b, x, alone));
    return x;
}

// Large enough for fronts of several tiles and many tasks. The factor is CHOLMOD's, with the same bits on any number of
// threads.
TEST(CholmodFactor, MultifrontalIsCholmodsFactorAtAnyNumberOfThreads) {
    const auto system = testing::gridSystem(41, 29);
    const BlockVector expected = cholmodsSolution(system);

    CholmodFactor factor;
    ASSERT_TRUE(factor.analyze(system.A.pattern(), Ordering::Metis, Factorization::Multifrontal));
    BlockVector first, x;
    for (const int threads : {1, 2, 4, 3, 8}) {
        WorkerPool pool(threads, 1);
        for (int again = 0; again < 2; ++again) {
            ASSERT_TRUE(factor.factorize(system.A, pool)) << factor.message();
            ASSERT_TRUE(factor.solve(system.b, x, pool));
            if (first.size() == 0) first = x;
            EXPECT_EQ(x, first) << threads << " threads";
        }
    }
    EXPECT_LT(testing::distance(first, expected), 1e-12 * testing::norm(expected));
}

// The cloth is large enough for fronts that are divided over threads and have several blocks of columns.
TEST(CholmodFactor, SolvesAreCholmodsAtAnyNumberOfThreads) {
    const auto system = testing::gridSystem(83, 79);
    const BlockVector expected = cholmodsSolution(system);
    for (const Precision precision : {Precision::Double, Precision::Single}) {
        CholmodFactor factor(precision);
        ASSERT_TRUE(factor.analyze(system.A.pattern(), Ordering::Metis, Factorization::Multifrontal));
        BlockVector first, x;
        for (const int threads : {1, 2, 4, 8}) {
            WorkerPool pool(threads, 1);
            ASSERT_TRUE(factor.factorize(system.A, pool)) << factor.message();
            for (int again = 0; again < 2; ++again) {
                ASSERT_TRUE(factor.solve(system.b, x, pool));
                if (first.size() == 0) first = x;
                EXPECT_EQ(x, first) << threads << " threads";
            }
            // The schedule is that of the factorization; a pool of another size gives the same bits.
            WorkerPool alone;
            ASSERT_TRUE(factor.solve(system.b, x, alone));
            EXPECT_EQ(x, first) << threads << " threads, solved by one";
        }
        const double error = testing::distance(first, expected) / testing::norm(expected);
        EXPECT_LT(error, precision == Precision::Double ? 1e-12 : 1e-4);
        EXPECT_GT(error, precision == Precision::Double ? 0 : 1e-10);
    }
}

// Conjugate gradients need a symmetric preconditioner: rounding the factor must keep it symmetric.
TEST(CholmodFactor, SinglePrecisionIsStillSymmetric) {
    const auto system = testing::gridSystem(31, 30);
    WorkerPool pool;
    CholmodFactor factor(Precision::Single);
    ASSERT_TRUE(factor.analyze(system.A.pattern(), Ordering::Best, Factorization::Multifrontal));
    ASSERT_TRUE(factor.factorize(system.A, pool));
    BlockVector u = system.b, v(u.size()), pu, pv;
    for (Index k = 0; k < 3 * u.size(); ++k) v.data()[k] = std::sin(-1 + 3.0 * k / (3 * u.size() - 1));
    ASSERT_TRUE(factor.solve(u, pu, pool));
    ASSERT_TRUE(factor.solve(v, pv, pool));
    const double uv = testing::dot(u, pv), vu = testing::dot(v, pu);
    EXPECT_NEAR(uv, vu, 1e-12 * testing::norm(u) * testing::norm(pv));
}

// A matrix whose second pivot, 2e-9, is lost to single precision: the factor is made in double and then rounded.
TEST(CholmodFactor, SinglePrecisionFallsBackToARoundedFactor) {
    const std::pair<Index, Index> pair{0, 1};
    BlockMatrix A(makePattern(2, std::span(&pair, 1)));
    for (Index k = 0; k < 4; ++k) {
        A.setOccupied(k, true);
        A.block(k) = (k == 0 || k == 3 ? 1.0 : 1.0 - 1e-9) * Mat3::Identity();
    }
    WorkerPool pool;
    CholmodFactor factor(Precision::Single);
    ASSERT_TRUE(factor.analyze(A.pattern(), Ordering::Natural, Factorization::Multifrontal));
    ASSERT_TRUE(factor.factorize(A, pool)) << factor.message();
    BlockVector b(2), x;
    b[0] = Vec3(1, 2, 3);
    b[1] = Vec3(1, 2, 3);
    ASSERT_TRUE(factor.solve(b, x, pool));
    EXPECT_GT(testing::dot(b, x), 0);
    A.block(3) = 0.5 * Mat3::Identity();  // an indefinite matrix is still reported
    EXPECT_FALSE(factor.factorize(A, pool));
}

}  // namespace
}  // namespace clothlab::factors
