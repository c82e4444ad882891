#include "geometry/shape_gap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace clothlab::geometry {
namespace {

const Eigen::Quaterniond kUpright = Eigen::Quaterniond::Identity();

Eigen::Quaterniond turned(double degrees, const Vec3& axis) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, axis.normalized()));
}

struct Pair {
    const char* name;
    Shape first;
    Vec3 firstAt;
    Eigen::Quaterniond firstTurned;
    Shape second;
    Vec3 secondAt;
    Eigen::Quaterniond secondTurned;
    double distance;
    Vec3 direction;
};

TEST(ShapeGap, IsThatOfTheTextbooks) {
    const Box brick{Vec3(0.3, 0.2, 0.1)};
    const double diagonal = std::sqrt(2.0);
    const std::vector<Pair> pairs{
        {"two spheres",
         Sphere{0.2},
         {1, 1, 0},
         kUpright,
         Sphere{0.1},
         {0, 0, 0},
         kUpright,
         diagonal - 0.3,
         Vec3(1, 1, 0) / diagonal},
        {"a sphere over the ground",
         Sphere{0.07},
         {3, 0.48, -2},
         kUpright,
         Plane{},
         {0, 0.4, 0},
         kUpright,
         0.01,
         {0, 1, 0}},
        {"the ground under a sphere",
         Plane{},
         {0, 0.4, 0},
         kUpright,
         Sphere{0.07},
         {3, 0.48, -2},
         kUpright,
         0.01,
         {0, -1, 0}},
        {"two bricks, faces parallel", brick, {0, 0.5, 0.05}, kUpright, brick, {0.1, 0, 0}, kUpright, 0.1, {0, 1, 0}},
        {"two bricks, corner to corner",
         brick,
         {0.7, 0.5, 0.3},
         kUpright,
         brick,
         {0, 0, 0},
         kUpright,
         std::sqrt(0.01 + 0.01 + 0.01),
         Vec3(1, 1, 1) / std::sqrt(3.0)},
        {"a brick on its edge",
         Box{Vec3(0.1, 0.1, 0.4)},
         {0, 0.3, 0},
         turned(45, Vec3::UnitZ()),
         Plane{},
         {0, 0, 0},
         kUpright,
         0.3 - 0.1 * diagonal,
         {0, 1, 0}},
        {"a jug on a table",
         Cylinder{0.07, 0.12},
         {-0.15, 0.53, 0},
         kUpright,
         Box{Vec3(0.4, 0.2, 0.4)},
         {0, 0.2, 0},
         kUpright,
         0.01,
         {0, 1, 0}},
        {"crossed capsules",
         Capsule{0.1, 0.5},
         {0, 0.5, 0},
         turned(90, Vec3::UnitX()),
         Capsule{0.05, 0.5},
         {0.1, 0, 0.2},
         turned(90, Vec3::UnitZ()),
         0.35,
         {0, 1, 0}},
    };
    for (const Pair& one : pairs) {
        const auto gap =
            gapBetween({&one.first, one.firstAt, one.firstTurned}, {&one.second, one.secondAt, one.secondTurned});
        ASSERT_TRUE(gap) << one.name;
        EXPECT_NEAR(gap->distance, one.distance, 1e-6) << one.name;
        EXPECT_NEAR((gap->direction - one.direction).norm(), 0, 1e-3) << one.name;
    }
}

TEST(ShapeGap, OfWhatOverlapsIsNegativeAndOfPlanesThereIsNone) {
    const Shape sphere = Sphere{0.2}, box = Box{Vec3(0.3, 0.3, 0.3)}, plane = Plane{};
    const auto gap = gapBetween({&sphere, {0, 0.45, 0}, kUpright}, {&box, {0, 0, 0}, kUpright});
    ASSERT_TRUE(gap);
    EXPECT_NEAR(gap->distance, -0.05, 1e-6);
    EXPECT_NEAR(gap->direction.y(), 1, 1e-3);
    EXPECT_FALSE(gapBetween({&plane, {0, 0, 0}, kUpright}, {&plane, {0, 1, 0}, turned(30, Vec3::UnitX())}));
}

}  // namespace
}  // namespace clothlab::geometry
