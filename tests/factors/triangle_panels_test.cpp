#include "factors/triangle_panels.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "factors/scalar_factor.hpp"
#include "laplacian.hpp"

namespace clothlab::factors {

using linalg::BlockPattern;
using linalg::BlockVector;
using testing::apart;
using testing::laplacian;
namespace {

/// The pairs of a grid of `side` x `side` particles as in [L]: stretch, one shear diagonal, straight bend.
std::shared_ptr<const BlockPattern> liuGrid(Index side) {
    testing::Pairs pairs;
    for (Index r = 0; r < side; ++r)
        for (Index c = 0; c < side; ++c)
            for (const auto& [dr, dc] :
                 std::initializer_list<std::pair<Index, Index>>{{0, 1}, {1, 0}, {1, 1}, {0, 2}, {2, 0}})
                if (r + dr < side && c + dc < side) pairs.emplace_back(r * side + c, (r + dr) * side + c + dc);
    return linalg::makePattern(side * side, pairs);
}

ScalarFactor packed(const BlockPattern& pattern, double mass, Ordering ordering = Ordering::Amd,
                    std::span<const Index> pinned = {}) {
    ScalarFactor factor;
    WorkerPool pool;
    EXPECT_TRUE(factor.analyze(pattern, ordering) && factor.factorize(pattern, laplacian(pattern, mass), pinned))
        << factor.message();
    factor.pack(pool);
    return factor;
}

TEST(TrianglePanels, SolveAsTheFactorInDoubleDoes) {
    WorkerPool pool;
    for (const Index rows : {1, 2, 7, 8, 9, 40, 150})
        for (const auto ordering : {Ordering::Amd, Ordering::Natural, Ordering::Metis}) {
            const auto system = testing::randomSystem(rows, 41 + unsigned(rows), 0.0);
            ScalarFactor factor = packed(system.A.pattern(), 0.5, ordering);
            BlockVector x, expected;
            ASSERT_TRUE(factor.solve(system.b, expected));
            for (int again = 0; again < 2; ++again) {  // a solve must not affect the next one
                factor.solveSingle(system.b, x, pool);
                EXPECT_LT(apart(x, expected), 1e-5) << rows << " rows";
            }
        }
}

TEST(TrianglePanels, SolveOnAGrid) {
    WorkerPool pool;
    for (const Index side : {5, 23, 60}) {
        const auto pattern = liuGrid(side);
        ScalarFactor factor = packed(*pattern, 1.0);
        const BlockVector b = testing::randomBlocks(pattern->rows, 42);
        BlockVector x, expected;
        ASSERT_TRUE(factor.solve(b, expected));
        factor.solveSingle(b, x, pool);
        EXPECT_LT(apart(x, expected), 1e-5) << side;
    }
}

TEST(TrianglePanels, LeaveNothingBehindOfARightHandSideThatIsNotFinite) {
    const auto pattern = liuGrid(60);
    ScalarFactor factor = packed(*pattern, 1.0);
    WorkerPool pool;
    const BlockVector b = testing::randomBlocks(pattern->rows, 45);
    BlockVector x, expected;
    factor.solveSingle(b, expected, pool);
    for (const double each : {std::nan(""), 1e300}) {
        BlockVector bad = b;
        for (Index i = 0; i < bad.size(); i += 7) bad[i].setConstant(each);
        factor.solveSingle(bad, x, pool);
        EXPECT_FALSE(x.flat().allFinite());
        factor.solveSingle(b, x, pool);
        EXPECT_TRUE(x == expected);
    }
}

TEST(TrianglePanels, SolveOnSeparateComponents) {
    const auto system = testing::islands({1, 30, 4, 1, 17, 60}, 43);
    ScalarFactor factor = packed(system.A.pattern(), 0.1);
    WorkerPool pool;
    BlockVector x, expected;
    ASSERT_TRUE(factor.solve(system.b, expected));
    factor.solveSingle(system.b, x, pool);
    EXPECT_LT(apart(x, expected), 1e-5);
}

TEST(TrianglePanels, HaveTheSameBitsAtAnyNumberOfThreads) {
    const auto pattern = liuGrid(70);  // large enough to be cut into subtrees
    ScalarFactor factor = packed(*pattern, 0.01);
    const BlockVector b = testing::randomBlocks(pattern->rows, 44);
    WorkerPool one;
    BlockVector expected;
    factor.solveSingle(b, expected, one);
    for (const int threads : {2, 4}) {
        WorkerPool pool(threads, 1);
        for (int again = 0; again < 5; ++again) {
            BlockVector x;
            factor.pack(pool);
            factor.solveSingle(b, x, pool);
            EXPECT_TRUE(x == expected) << threads;
        }
    }
}

TEST(TrianglePanels, PinnedRowsStandAlone) {
    const auto pattern = liuGrid(12);
    const std::vector<double> values = laplacian(*pattern, 1.0);
    const std::vector<Index> pinned{0, 11, 60, 61};
    ScalarFactor factor = packed(*pattern, 1.0, Ordering::Amd, pinned);
    const BlockVector b = testing::randomBlocks(pattern->rows, 45);
    const BlockVector expected =
        testing::DenseMatrix(testing::threefold(pattern, values, pinned)).solveSymmetric(b).blocks();
    WorkerPool pool;
    BlockVector x, single;
    ASSERT_TRUE(factor.solve(b, x));
    factor.solveSingle(b, single, pool);
    EXPECT_LT(apart(x, expected), 1e-12);
    EXPECT_LT(apart(single, expected), 1e-5);
    for (const Index i : pinned) EXPECT_EQ(Vec3(x[i]), Vec3(b[i]));
}

TEST(TrianglePanels, ABadRightHandSideLeavesNothingBehind) {
    const auto pattern = liuGrid(12);
    ScalarFactor factor = packed(*pattern, 1.0);
    const BlockVector b = testing::randomBlocks(pattern->rows, 46);
    BlockVector bad = b, x, expected;
    bad[17].setConstant(std::numeric_limits<double>::quiet_NaN());
    WorkerPool pool;
    factor.solveSingle(b, expected, pool);
    factor.solveSingle(bad, x, pool);
    EXPECT_FALSE(x.flat().allFinite());
    factor.solveSingle(b, x, pool);
    EXPECT_TRUE(x == expected);
}

}  // namespace
}  // namespace clothlab::factors
