#include "base/statistics.hpp"

#include <gtest/gtest.h>

namespace clothlab {
namespace {

TEST(Statistics, TheMedianIsTheMiddleOne) {
    EXPECT_EQ(median({5, 1, 3}), 3);
    EXPECT_EQ(median({4, 1, 3, 2}), 3) << "of two the larger";
    EXPECT_EQ(median({}), 0);
}

TEST(Statistics, QuantilesGoFromTheLeastToTheMost) {
    const std::vector<double> values{3, 0, 4, 1, 2};
    EXPECT_EQ(quantile(values, 0), 0);
    EXPECT_EQ(quantile(values, 0.5), 2);
    EXPECT_EQ(quantile(values, 0.95), 3) << "between two the smaller";
    EXPECT_EQ(quantile(values, 1), 4);
    EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
}

}  // namespace
}  // namespace clothlab
