#include "contact/robust/solid_tips.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "contact/random_points.hpp"
#include "contact/robust/solid_walls.hpp"
#include "geometry/closest_points.hpp"
#include "geometry/triangle_mesh.hpp"

/// Tips of solids against triangles.
namespace clothlab::contact {
namespace {

TEST(SolidTips, AreCornersAndEndsOfWhatIsThin) {
    const auto box = findTips(geometry::Box{Vec3(1, 2, 3)}, 0);
    ASSERT_EQ(box.size(), 8u);
    for (const SolidTip& tip : box) {
        EXPECT_EQ(tip.place.cwiseAbs(), Vec3(1, 2, 3));
        EXPECT_GT(tip.outward.cwiseProduct(tip.place).minCoeff(), 0);
    }
    const auto needle = findTips(geometry::Capsule{0.002, 0.1}, 0.02);
    ASSERT_EQ(needle.size(), 2u);
    EXPECT_EQ(needle[0].place, Vec3(0, 0.1, 0));
    EXPECT_EQ(needle[0].outward, Vec3::UnitY());
    EXPECT_EQ(needle[0].radius, 0.002);
    EXPECT_TRUE(findTips(geometry::Capsule{0.03, 0.1}, 0.02).empty());
    EXPECT_TRUE(findTips(geometry::Sphere{0.3}, 0.02).empty());
    EXPECT_EQ(findTips(geometry::Sphere{0.01}, 0.02).size(), 1u);
    EXPECT_TRUE(findTips(geometry::Plane{}, 0.02).empty());
}

// Two pyramids on a square, one upward and one downward: both apexes are tips. A flat apex and a dent are none.
TEST(SolidTips, OfAMeshAreWhereItEnds) {
    const auto pyramid = [](double apex) {
        geometry::TriangleMesh mesh;
        mesh.points = {Vec3(1, 0, 1),  Vec3(1, 0, -1),   Vec3(-1, 0, -1),
                       Vec3(-1, 0, 1), Vec3(0, apex, 0), Vec3(0, -2, 0)};
        mesh.triangles = {{0, 1, 4}, {1, 2, 4}, {2, 3, 4}, {3, 0, 4}, {1, 0, 5}, {2, 1, 5}, {3, 2, 5}, {0, 3, 5}};
        return findTips(geometry::MeshSolid{.surface = std::make_shared<const geometry::TriangleMesh>(mesh)}, 0.1);
    };
    const auto has = [](const std::vector<SolidTip>& tips, const Vec3& place) {
        return std::ranges::any_of(tips, [&](const SolidTip& tip) { return tip.place == place; });
    };
    EXPECT_TRUE(has(pyramid(3), Vec3(0, 3, 0)));
    EXPECT_TRUE(has(pyramid(3), Vec3(0, -2, 0)));
    EXPECT_FALSE(has(pyramid(0.2), Vec3(0, 0.2, 0))) << "flat";
    EXPECT_FALSE(has(pyramid(-1), Vec3(0, -1, 0))) << "a dent";
}

/// Compared with the motion at 50 times: each tip that crosses its triangle is found, and the normal points to the side
/// on which the triangle began.
TEST(SolidTips, EveryCrossingIsFoundFromItsSide) {
    RandomPoints random;
    int crossings = 0;
    for (int n = 0; n < 20000; ++n) {
        std::array<Vec3, 3> start, end;
        for (Vec3& p : start) p = random.point(1);
        const Vec3 move = random.point(1);
        for (std::size_t k = 0; k < 3; ++k) end[k] = start[k] + move + 0.1 * random.point(1);
        const TipMotion tip{random.point(0.5), random.point(0.5), Vec3::Zero(), 0};
        const auto heightAt = [&](double t, std::array<double, 3>& weights) {
            std::array<Vec3, 3> p;
            for (std::size_t k = 0; k < 3; ++k) p[k] = (1 - t) * start[k] + t * end[k];
            const Vec3 q = (1 - t) * tip.start + t * tip.end, area = (p[1] - p[0]).cross(p[2] - p[0]);
            for (std::size_t k = 0; k < 3; ++k)
                weights[k] = area.dot((p[(k + 1) % 3] - q).cross(p[(k + 2) % 3] - q)) / area.squaredNorm();
            return area.normalized().dot(q - p[0]);
        };
        std::array<double, 3> before, after;
        double last = heightAt(0, before);
        const double first = last;
        int through = 0;
        for (int k = 1; k <= 50; ++k) {
            const double now = heightAt(k / 50.0, after);
            const bool inside = *std::ranges::min_element(before) > 0.05 && *std::ranges::min_element(after) > 0.05;
            if (now * last < 0 && inside) ++through;
            last = now;
            before = after;
        }
        if (through != 1 || std::abs(last) < 0.01 || std::abs(first) < 0.01) continue;
        ++crossings;
        const auto touch = findTouch(tip, start, end, 0.1);
        ASSERT_TRUE(touch) << n;
        EXPECT_TRUE(touch->met) << n;
        EXPECT_LT(touch->gap, 0) << n;
        EXPECT_GE(*std::ranges::min_element(touch->weights), 0) << n;
        const Vec3 area = (start[1] - start[0]).cross(start[2] - start[0]);
        EXPECT_LT(first * touch->normal.dot(area), 0) << n << ": the triangle stays on the side where it was";
        EXPECT_NEAR(touch->weights[0] + touch->weights[1] + touch->weights[2], 1, 1e-9);
    }
    EXPECT_GT(crossings, 200);
}

// A tip points up through a triangle that lies on it. Depth and side do not depend on the order of the corners.
TEST(SolidTips, WhatHasSunkOntoATipIsAboveIt) {
    const std::array<Vec3, 3> flat{Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 0, 1)}, turned{flat[0], flat[2], flat[1]};
    const TipMotion tip{Vec3(0.2, 0.05, 0.3), Vec3(0.2, 0.05, 0.3), Vec3::UnitY(), 0.01};
    for (const auto& triangle : {flat, turned}) {
        const auto touch = findTouch(tip, triangle, triangle, 0.1);
        ASSERT_TRUE(touch);
        EXPECT_FALSE(touch->met);
        EXPECT_NEAR(touch->gap, -0.06, 1e-12);
        EXPECT_NEAR((touch->normal - Vec3::UnitY()).norm(), 0, 1e-12);
    }
    TipMotion beside = tip, below = tip;
    beside.start = beside.end = Vec3(-0.1, 0.05, 0.3);
    below.start = below.end = Vec3(0.2, -0.2, 0.3);
    EXPECT_FALSE(findTouch(beside, flat, flat, 0.1));
    EXPECT_FALSE(findTouch(below, flat, flat, 0.1)) << "beyond the reach";
}

/// The walls of one triangle that lies flat, 2 cm wide, with its middle above the origin.
std::vector<FeatureWall> wallsOfTriangleAt(double height, double fall, const Collider& solid, bool withEdges = false) {
    linalg::BlockVector x(3), u(3);
    x[0] = Vec3(-0.01, height, -0.007);
    x[1] = Vec3(0.01, height, -0.007);
    x[2] = Vec3(0, height, 0.013);
    for (Index i = 0; i < 3; ++i) u[i] = Vec3(0, -fall, 0);
    const std::vector<Collider> colliders{solid};
    SolidWalls solids;
    WorkerPool pool(1);
    solids.place(
        {.colliders = colliders, .time = 0.01, .dt = 0.01, .depth = 0, .reach = 0.04, .muK = 0.3, .spacing = 0.02});
    solids.look(x, u, pool);
    const std::vector<geometry::Triangle> triangle{{0, 1, 2}};
    std::vector<FeatureWall> walls;
    const std::vector<std::array<Index, 2>> edges{{0, 1}, {1, 2}, {2, 0}};
    solids.findFeatures(x, u, {std::span(edges).first(withEdges ? 3 : 0), triangle}, walls, pool);
    return walls;
}

// A needle that points down by 20 degrees, and a plate with a corner below the triangle: cloth that lies on them is not
// drawn through them.
TEST(SolidTips, WhatLiesOnTheBackOfATipStaysThere) {
    Collider needle{.name = "needle", .shape = geometry::Capsule{0.001, 0.05}};
    // Its upper end points along x, and down.
    needle.orientation = Eigen::AngleAxisd(-110 * std::numbers::pi / 180, Vec3::UnitZ());
    const Vec3 along(std::sin(110 * std::numbers::pi / 180), std::cos(110 * std::numbers::pi / 180), 0);
    needle.position = -0.05 * along;
    for (const FeatureWall& wall : wallsOfTriangleAt(0.001, 0, needle)) EXPECT_GT(wall.normal.y(), 0);
    const auto fallen = wallsOfTriangleAt(0.004, 0.01, needle);
    ASSERT_FALSE(fallen.empty());
    for (const FeatureWall& wall : fallen) EXPECT_GT(wall.normal.y(), 0.9);
    Collider plate{.name = "plate", .shape = geometry::Box{Vec3(0.1, 0.002, 0.1)}};
    plate.position = Vec3(-0.1, -0.002, -0.1);  // its top is at 0
    const auto lying = wallsOfTriangleAt(-1e-4, 0, plate);
    ASSERT_FALSE(lying.empty()) << "a corner below it";
    for (const FeatureWall& wall : lying) EXPECT_GT(wall.normal.y(), 0.9);
}

/// Compared with the motion at 200 times: each edge that crosses the wire is found, and the normal points to the side
/// on which the edge began.
TEST(SolidRods, EveryCrossingIsFoundFromItsSide) {
    RandomPoints random;
    int crossings = 0;
    for (int n = 0; n < 20000; ++n) {
        const std::array<Vec3, 2> start{random.point(1), random.point(1)};
        const Vec3 move = random.point(1.5);
        const std::array<Vec3, 2> end{start[0] + move + 0.1 * random.point(1), start[1] + move + 0.1 * random.point(1)};
        const RodMotion rod{{Vec3(-2, 0, 0), Vec3(2, 0, 0)}, {Vec3(-2, 0.1, 0), Vec3(2, 0, 0.1)}, 0.01};
        const auto pairAt = [&](double t) {
            return geometry::PairPoints{(1 - t) * start[0] + t * end[0], (1 - t) * start[1] + t * end[1],
                                        (1 - t) * rod.start[0] + t * rod.end[0],
                                        (1 - t) * rod.start[1] + t * rod.end[1]};
        };
        const auto volumeAt = [&](double t) {
            const auto p = pairAt(t);
            return (p[1] - p[0]).cross(p[3] - p[2]).dot(p[2] - p[0]);
        };
        const auto distanceAt = [&](double t) {
            return closestPoints(geometry::PairKind::EdgeEdge, pairAt(t)).distance();
        };
        double least = 1;
        int turns = 0;
        for (int k = 1; k <= 200; ++k) {
            least = std::min(least, distanceAt(k / 200.0));
            turns += volumeAt(k / 200.0) * volumeAt((k - 1) / 200.0) < 0;
        }
        if (turns != 1 || least > 0.008 || distanceAt(0) < 0.05 || distanceAt(1) < 0.05) continue;
        ++crossings;
        const auto touch = findTouch(rod, start, end, 0.1);
        ASSERT_TRUE(touch) << n;
        EXPECT_NEAR(touch->normal.norm(), 1, 1e-12);
        // The normal points to where the edge came from.
        const auto p = pairAt(0);
        const Vec3 before =
            (1 - touch->share) * p[0] + touch->share * p[1] - (1 - touch->along) * p[2] - touch->along * p[3];
        EXPECT_GT(touch->normal.dot(before), 0) << n;
        EXPECT_LT(touch->gap, 0) << n;
    }
    EXPECT_GT(crossings, 100);
}

TEST(SolidRods, AreAxesOfThinCapsulesAndCylinders) {
    const auto wire = findRods(geometry::Capsule{0.001, 0.3}, 0.02);
    ASSERT_EQ(wire.size(), 1u);
    EXPECT_EQ(wire[0].ends[0], Vec3(0, 0.3, 0));
    EXPECT_EQ(wire[0].radius, 0.001);
    EXPECT_NEAR(findRods(geometry::Cylinder{0.002, 0.1}, 0.02)[0].ends[1].y(), -0.098, 1e-15);
    EXPECT_TRUE(findRods(geometry::Capsule{0.03, 0.3}, 0.02).empty());
    EXPECT_TRUE(findRods(geometry::Cylinder{0.01, 0.005}, 0.02).empty()) << "a disc";
}

TEST(SolidRods, OfABoxFitIntoIt) {
    EXPECT_TRUE(findRods(geometry::Box{Vec3(0.1, 0.2, 0.3)}, 0.02).empty());
    EXPECT_TRUE(findRods(geometry::Box{Vec3(0.01, 0.01, 0.01)}, 0.02).empty()) << "a grain: its corners are tips";
    const auto bar = findRods(geometry::Box{Vec3(0.01, 0.3, 0.01)}, 0.02);
    ASSERT_EQ(bar.size(), 1u);
    EXPECT_LT((bar[0].ends[0] - Vec3(0, 0.29, 0)).norm(), 1e-15);
    EXPECT_EQ(bar[0].radius, 0.01);
    const geometry::Box plate{Vec3(0.2, 0.001, 0.3)};
    const auto rim = findRods(plate, 0.02);
    ASSERT_EQ(rim.size(), 4u);
    Vec3 sum = Vec3::Zero();
    for (const SolidRod& rod : rim)
        for (int k = 0; k <= 10; ++k) {
            const Vec3 point = (1 - k / 10.0) * rod.ends[0] + k / 10.0 * rod.ends[1];
            EXPECT_NEAR(geometry::signedDistance(geometry::Shape(plate), point).distance, -0.001, 1e-15);
            sum += point;
        }
    EXPECT_LT(sum.norm(), 1e-12) << "on all sides";
}

// Near a thin bar, edges have the walls of its rod. Near a thick board they are checked at the end of a step, and have
// a wall only where they would go through its middle.
TEST(SolidRods, OfAThickBoardAreForWhatWouldGoThrough) {
    const auto edgeWalls = [](double height, double fall, double half) {
        const auto walls =
            wallsOfTriangleAt(height, fall, {.name = "bar", .shape = geometry::Box{Vec3(0.1, half, half)}}, true);
        return std::ranges::count_if(walls, &FeatureWall::ofEdge);
    };
    EXPECT_GT(edgeWalls(0.004, 0, 0.003), 0) << "1 mm above a bar";
    EXPECT_GT(edgeWalls(0.02, 0.06, 0.003), 0) << "through a bar";
    EXPECT_GT(edgeWalls(0.02, 0.06, 0.006), 0) << "through a board";
}

// One triangle falls past the tip of a needle within a step.
TEST(SolidTips, ATriangleThatFallsPastANeedleHasAWall) {
    const auto walls = wallsOfTriangleAt(0.105, 0.05, {.name = "needle", .shape = geometry::Capsule{0.001, 0.1}});
    ASSERT_EQ(walls.size(), 1u);
    EXPECT_NEAR(walls[0].normal.y(), 1, 1e-9);
    EXPECT_NEAR(walls[0].gap, -0.046, 1e-9) << "0.101 is the tip";
    EXPECT_NEAR(walls[0].bound, -0.004 - SolidWalls::kEdgeDepth * walls[0].length, 1e-9);
    EXPECT_FALSE(walls[0].ofEdge());
}

}  // namespace
}  // namespace clothlab::contact
