#include "linalg/permuted_matrix.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "factors/cholmod_factor.hpp"
#include "support/random_systems.hpp"

namespace clothlab::factors {

using namespace linalg;
namespace {

using testing::DenseMatrix;

std::vector<Index> shuffled(Index n, unsigned seed) {
    std::vector<Index> order(n);
    std::iota(order.begin(), order.end(), 0);
    std::mt19937 rng(seed);
    std::shuffle(order.begin(), order.end(), rng);
    return order;
}

TEST(PermutedMatrix, IsQAQTransposed) {
    const auto system = testing::randomSystem(60, 24, 0.0, true);
    WorkerPool pool;
    PermutedMatrix permuted;
    for (const unsigned seed : {1u, 2u}) {  // a second time with another order
        const std::vector<Index> order = shuffled(60, seed);
        permuted.build(system.A, order, pool);
        DenseMatrix Q = DenseMatrix::zero(180, 180);
        for (Index k = 0; k < 60; ++k) Q.setBlock(k, order[k], Mat3::Identity());
        EXPECT_EQ(DenseMatrix(permuted.matrix()), Q * DenseMatrix(system.A) * Q.transpose());
        EXPECT_EQ(permuted.matrix().occupiedBlocks(), system.A.occupiedBlocks());
        BlockVector y, x;
        permuted.permute(system.b, y);
        EXPECT_EQ(DenseMatrix(y), Q * system.b);
        permuted.restore(y, x);
        EXPECT_TRUE(x == system.b);
    }
}

TEST(PermutedMatrix, AFactorSolvesInItsOwnOrderToTheSameBits) {
    const auto system = testing::gridSystem(20, 25);
    WorkerPool pool;
    for (const Precision precision : {Precision::Double, Precision::Single}) {
        CholmodFactor factor(precision);
        ASSERT_TRUE(factor.analyze(system.A.pattern(), Ordering::Metis, Factorization::Multifrontal));
        ASSERT_TRUE(factor.factorize(system.A, pool));
        PermutedMatrix permuted;
        permuted.build(system.A, factor.order(), pool);
        BlockVector x, b, y, back;
        factor.solve(system.b, x, pool);
        permuted.permute(system.b, b);
        factor.solve(b, y, pool, VectorOrder::Factor);
        EXPECT_FALSE(y == x) << "the order is that of the matrix: nothing is tested";
        permuted.restore(y, back);
        EXPECT_TRUE(back == x);
    }
}

}  // namespace
}  // namespace clothlab::factors
