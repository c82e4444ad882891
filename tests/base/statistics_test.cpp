#include "base/statistics.hpp"

#include <gtest/gtest.h>

namespace clothlab {
namespace {

TEST(Statistics, TheMedianIsTheMiddleOne) {
    EXPECT_EQ(median({5, 1, 3}), 3);
    EXPECT_EQ(median({4, 1, 3, 2}), 3) << "the larger of two";
    EXPECT_EQ(median({}), 0);
}

TEST(Statistics, QuantilesGoFromTheLeastToTheMost) {
    const std::vector<double> values{3, 0, 4, 1, 2};
    EXPECT_EQ(quantile(values, 0), 0);
    EXPECT_EQ(quantile(values, 0.5), 2);
    EXPECT_EQ(quantile(values, 0.95), 3) << "the smaller of two";
    EXPECT_EQ(quantile(values, 1), 4);
    EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

TEST(Statistics, PercentilesAreThoseOfNearestRank) {
    std::vector<double> values;
    for (int k = 0; k < 200; ++k) values.push_back(double((k * 73) % 200 + 1));  // 1 to 200, out of order
    const Spread of200 = computeSpread(values);
    EXPECT_EQ(of200.count, 200u);
    EXPECT_EQ(of200.mean, 100.5);
    EXPECT_EQ(of200.p50, 100);
    EXPECT_EQ(of200.p95, 190);
    EXPECT_EQ(of200.p99, 198);
    EXPECT_EQ(of200.most, 200);
    EXPECT_EQ(values[of200.at], 200);

    const Spread of7 = computeSpread(std::vector<double>{NAN, 4, 1, 9, 2, 9, NAN, 3, 5});
    EXPECT_EQ(of7.count, 7u) << "gaps are left out";
    EXPECT_EQ(of7.p50, 4);
    EXPECT_EQ(of7.p95, 9) << "the worst of few values";
    EXPECT_EQ(of7.p99, 9);
    EXPECT_EQ(of7.at, 3u) << "the first of two equal values";
    EXPECT_EQ(computeSpread(std::vector<double>{7}).p50, 7);
    EXPECT_EQ(computeSpread({}).count, 0u);
    EXPECT_TRUE(std::isnan(computeSpread({}).p99));
    EXPECT_TRUE(std::isnan(computeSpread(std::vector<double>{NAN}).most));
}

}  // namespace
}  // namespace clothlab
