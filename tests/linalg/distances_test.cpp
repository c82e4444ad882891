#include "linalg/distances.hpp"

#include <gtest/gtest.h>

namespace clothlab::linalg {
namespace {

TEST(Distances, AreTheLargestAndTheMeanSquare) {
    BlockVector x(4), y(4);
    x[1] = Vec3(3, 0, 4);
    y[2] = Vec3(0, 1, 0);
    const Distances apart = distances(x, y);
    EXPECT_EQ(apart.largest, 5);
    EXPECT_EQ(apart.rms, std::sqrt(26.0 / 4));
    EXPECT_EQ(distances({}, {}).rms, 0);
    EXPECT_EQ(largestNorm(x), 5);
    EXPECT_EQ(largestNorm({}), 0);
}

}  // namespace
}  // namespace clothlab::linalg
