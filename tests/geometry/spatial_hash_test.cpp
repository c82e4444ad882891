#include "geometry/spatial_hash.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

/// Compares the hash grid with a search over all pairs.
namespace clothlab::geometry {
namespace {

using Pairs = std::vector<std::pair<Index, Index>>;

Pairs bruteForce(double distance, const std::vector<double>& x) {
    Pairs out;
    const auto n = Index(x.size() / 3);
    for (Index i = 0; i < n; ++i)
        for (Index j = i + 1; j < n; ++j) {
            double squared = 0;
            for (int k = 0; k < 3; ++k) {
                const double d = x[3 * j + k] - x[3 * i + k];
                squared += d * d;
            }
            if (squared < distance * distance) out.emplace_back(i, j);
        }
    return out;
}

Pairs found(double distance, const std::vector<double>& x, int threads) {
    WorkerPool pool(threads, 0);
    SpatialHash hash;
    const auto pairs = hash.pairsCloserThan(distance, x, pool);
    return {pairs.begin(), pairs.end()};
}

/// Expects brute force's pairs at 1, 2 and 4 threads; returns how many there are.
std::size_t check(double distance, const std::vector<double>& x) {
    const Pairs expected = bruteForce(distance, x);
    for (const int threads : {1, 2, 4}) EXPECT_EQ(found(distance, x, threads), expected) << threads << " threads";
    return expected.size();
}

std::vector<double> randomPoints(std::size_t count, double from, double to, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(from, to);
    std::vector<double> x(3 * count);
    for (double& value : x) value = uniform(random);
    return x;
}

TEST(SpatialHash, FindsAllPairsOfRandomPointsOnBothSidesOfZero) {
    for (const double distance : {0.02, 0.1, 0.35})
        EXPECT_GT(check(distance, randomPoints(1500, -1, 1, 7)), 0u) << distance;
    EXPECT_GT(check(0.1, randomPoints(1500, -1003, -1001.5, 8)), 0u);
}

TEST(SpatialHash, FindsThePairsOfPointsInOneCell) {
    const std::vector<double> close = randomPoints(120, 0.001, 0.0015, 3);
    EXPECT_EQ(check(0.1, close), 120u * 119u / 2);
    EXPECT_EQ(check(0.1, std::vector<double>(120, 0.25)), 40u * 39u / 2);  // coincident
}

TEST(SpatialHash, PointsOnTheBordersOfCells) {
    // Multiples of the distance: neighbours are exactly as far apart as the distance, so that they are no pairs.
    // Slightly closer, they are.
    std::vector<double> x;
    const double d = 0.1;
    for (int a = -4; a < 4; ++a)
        for (int b = -4; b < 4; ++b)
            for (int c = -4; c < 4; ++c) x.insert(x.end(), {a * d, b * d, c * d});
    check(d, x);
    EXPECT_EQ(check(d * (1 + 1e-9), x), 3u * 8 * 8 * 7);
    EXPECT_EQ(check(d * (1 - 1e-9), x), 0u);
}

TEST(SpatialHash, FarAndNonFinitePointsHaveNoPairs) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
    const std::vector<double> x = {nan, 0, 0, 0, 0, 0, 0.01, 0, 0, inf, 0, 0, 0, -inf, 0, 1e300, 0, 0, 1e300, 0, 0};
    EXPECT_EQ(found(0.1, x, 1), (Pairs{{1, 2}}));
    EXPECT_TRUE(found(0.1, {}, 1).empty());
    EXPECT_TRUE(found(0.1, {1, 2, 3}, 1).empty());
}

TEST(SpatialHash, KeepsNothingFromCallToCall) {
    WorkerPool pool(2, 0);
    SpatialHash hash;
    for (const unsigned seed : {1u, 2u, 3u}) {
        const std::vector<double> x = randomPoints(seed == 2 ? 3000 : 400, -1, 1, seed);
        const auto pairs = hash.pairsCloserThan(0.15, x, pool);
        EXPECT_EQ(Pairs(pairs.begin(), pairs.end()), bruteForce(0.15, x));
    }
}

}  // namespace
}  // namespace clothlab::geometry
