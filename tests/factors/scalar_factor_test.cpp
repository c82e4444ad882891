#include "factors/scalar_factor.hpp"

#include <gtest/gtest.h>

#include "factors/cholmod_factor.hpp"
#include "laplacian.hpp"

namespace clothlab::factors {

using namespace linalg;
using testing::apart;
using testing::laplacian;
using testing::threefold;
namespace {

TEST(ScalarFactor, SolvesForThreeAxesAsTheBlockFactorDoes) {
    const auto system = testing::randomSystem(120, 31, 0.0, true);
    const auto pattern = system.A.sharedPattern();
    const std::vector<double> values = laplacian(*pattern, 0.5);
    const BlockMatrix A = threefold(pattern, values);
    const BlockVector expected = testing::DenseMatrix(A).solveSymmetric(system.b).blocks();
    WorkerPool pool;
    CholmodFactor block;
    BlockVector byBlocks;
    ASSERT_TRUE(block.analyze(*pattern, Ordering::Amd, Factorization::Supernodal) && block.factorize(A, pool));
    ASSERT_TRUE(block.solve(system.b, byBlocks, pool));
    for (const EnumEntry& ordering : enumTable(Ordering{})) {
        ScalarFactor factor;
        BlockVector x;
        ASSERT_TRUE(factor.analyze(*pattern, Ordering(ordering.value))) << factor.message();
        ASSERT_TRUE(factor.factorize(*pattern, values)) << factor.message();
        ASSERT_TRUE(factor.solve(system.b, x));
        EXPECT_LT(apart(x, expected), 1e-12) << ordering.key;
        EXPECT_LT(apart(x, byBlocks), 1e-12) << ordering.key;
        if (Ordering(ordering.value) == Ordering::Amd) {
            EXPECT_LT(factor.fill(), block.fill() / 5);
        }
    }
}

TEST(ScalarFactor, TakesNewValuesAndAnotherPattern) {
    WorkerPool pool;
    ScalarFactor factor;
    for (const Index rows : {30, 50}) {
        const auto system = testing::randomSystem(rows, 32, 0.0);
        const auto pattern = system.A.sharedPattern();
        for (const double mass : {1.0, 7.0}) {
            const std::vector<double> values = laplacian(*pattern, mass);
            BlockVector x, back;
            ASSERT_TRUE(factor.analyze(*pattern, Ordering::Best) && factor.factorize(*pattern, values));
            ASSERT_TRUE(factor.solve(system.b, x));
            multiply(threefold(pattern, values), x, back);
            EXPECT_LT(apart(back, system.b), 1e-12);
        }
    }
}

TEST(ScalarFactor, SaysWhenTheMatrixIsNotDefinite) {
    const auto pattern = testing::randomSystem(20, 33, 0.0).A.sharedPattern();
    std::vector<double> values = laplacian(*pattern, 1.0);
    values[pattern->diagonal[7]] -= 1000;
    ScalarFactor factor;
    ASSERT_TRUE(factor.analyze(*pattern, Ordering::Amd));
    EXPECT_FALSE(factor.factorize(*pattern, values));
    EXPECT_NE(factor.message().find("not positive definite"), std::string::npos) << factor.message();
    values[pattern->diagonal[7]] += 1000;
    EXPECT_TRUE(factor.factorize(*pattern, values)) << factor.message();
}

}  // namespace
}  // namespace clothlab::factors
