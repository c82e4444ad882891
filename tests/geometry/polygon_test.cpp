#include "geometry/polygon.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <numbers>
#include <random>

#include "geometry/triangle_mesh.hpp"

namespace clothlab::geometry {
namespace {

using Corners = std::vector<Vec3>;

/// The shoelace formula, of a polygon in the plane z = 0.
double shoelace(const Corners& p) {
    double twice = 0;
    for (std::size_t k = 0; k < p.size(); ++k) {
        const Vec3 &a = p[k], &b = p[(k + 1) % p.size()];
        twice += a.x() * b.y() - b.x() * a.y();
    }
    return twice / 2;
}

/// n - 2 triangles turned as the polygon is, none without area, whose areas add up and whose inner edges meet in pairs.
void expectFills(const Corners& corners, double area) {
    const auto triangles = triangulatePolygon(corners);
    ASSERT_TRUE(triangles) << triangles.error().message;
    ASSERT_EQ(triangles->size(), corners.size() - 2);
    double sum = 0;
    std::map<std::pair<std::size_t, std::size_t>, int> sides;
    for (const auto& [a, b, c] : *triangles) {
        EXPECT_FALSE(isDegenerate(corners[a], corners[b], corners[c])) << a << " " << b << " " << c;
        sum += areaVector(corners[a], corners[b], corners[c]).norm() / 2;
        for (const auto& side : {std::pair(a, b), std::pair(b, c), std::pair(c, a)}) ++sides[side];
    }
    EXPECT_NEAR(sum, area, 1e-12 * area);
    for (std::size_t k = 0; k < corners.size(); ++k) EXPECT_EQ((sides[{k, (k + 1) % corners.size()}]), 1);
    for (const auto& [side, count] : sides) {
        const bool outline = (side.first + 1) % corners.size() == side.second;
        EXPECT_EQ(count, 1);
        EXPECT_EQ(sides.count({side.second, side.first}), outline ? 0u : 1u);
    }
}

TEST(Polygon, AConvexOneIsTheFanAroundItsFirstCorner) {
    const auto triangles = triangulatePolygon(Corners{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 2, 0}, {0, 1, 0}});
    ASSERT_TRUE(triangles);
    EXPECT_EQ(*triangles, (std::vector<PolygonTriangle>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}

TEST(Polygon, WhateverItsFirstCornerItsTrianglesFillIt) {
    const std::vector<Corners> shapes{
        // the panel of a shirt, a spiral, a comb, an arrow
        {{0.3, 0, 0},
         {0.7, 0.01, 0},
         {0.71, 0.6, 0},
         {1, 0.62, 0},
         {1.02, 1, 0},
         {-0.01, 1.01, 0},
         {0, 0.61, 0},
         {0.29, 0.6, 0}},
        {{0, 0, 0},
         {5, 0, 0},
         {5, 5, 0},
         {1, 5, 0},
         {1, 2, 0},
         {3, 2, 0},
         {3, 3, 0},
         {2, 3, 0},
         {2, 4, 0},
         {4, 4, 0},
         {4, 1, 0},
         {0, 1, 0}},
        {{0, 0, 0}, {7, 0, 0}, {7, 3, 0}, {6, 1, 0}, {5, 3, 0}, {4, 1, 0}, {3, 3, 0}, {2, 1, 0}, {1, 3, 0}},
        {{0, 0, 0}, {2, 1, 0}, {0, 2, 0}, {0.5, 1, 0}},
        // corners on straight sides, several and on each
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {3, 0, 0}, {3, 3, 0}, {2, 3, 0}, {0, 3, 0}, {0, 1, 0}},
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 2, 0}},
        {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {0, 2, 0}, {0, 1, 0}},
    };
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(1.1, Vec3(1, 2, -3).normalized()));
    for (const Corners& shape : shapes)
        for (std::size_t first = 0; first < shape.size(); ++first) {
            Corners corners;
            for (std::size_t k = 0; k < shape.size(); ++k)
                corners.push_back(turn * (0.01 * shape[(first + k) % shape.size()]) + Vec3(5, -7, 3));
            expectFills(corners, 1e-4 * shoelace(shape));
        }
}

// A star with arms of random length is always a simple polygon.
TEST(Polygon, RandomStarsAreFilled) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> arm(0.2, 1.0);
    for (int trial = 0; trial < 50; ++trial) {
        const int corners = 4 + trial * 3;
        Corners star;
        for (int k = 0; k < corners; ++k) {
            const double angle = 2 * std::numbers::pi * k / corners, length = arm(random);
            star.emplace_back(length * std::cos(angle), length * std::sin(angle), 0);
        }
        expectFills(star, shoelace(star));
    }
}

TEST(Polygon, ASaddleIsTakenAndATentIsNot) {
    const auto square = [](double height) { return Corners{{0, 0, 0}, {1, 0, height}, {1, 1, 0}, {0, 1, height}}; };
    EXPECT_TRUE(triangulatePolygon(square(0.3)));
    const auto tent = triangulatePolygon(square(2));
    ASSERT_FALSE(tent);
    EXPECT_NE(tent.error().message.find("far from a plane"), std::string::npos);
}

TEST(Polygon, OneThatCrossesOrTouchesItselfIsRefused) {
    for (const Corners& corners :
         {Corners{{0, 0, 0}, {1, 1, 0}, {1, 0, 0}, {0, 1, 0}}, Corners{{0, 0, 0}, {3, 3, 0}, {3, 0, 0}, {0, 2, 0}},
          // around twice, a corner on a side, there and back
          Corners{{1, 0, 0}, {-0.8, 0.6, 0}, {0.3, -0.95, 0}, {0.3, 0.95, 0}, {-0.8, -0.6, 0}},
          Corners{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {2, 0, 0}, {0, 4, 0}},
          Corners{{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {6, 6, 0}, {2, 2, 0}, {0, 3, 0}}}) {
        const auto triangles = triangulatePolygon(corners);
        ASSERT_FALSE(triangles);
        EXPECT_NE(triangles.error().message.find("crosses or touches itself"), std::string::npos);
    }
}

TEST(Polygon, ALineIsAFanWithoutArea) {
    const auto triangles = triangulatePolygon(Corners{{0, 0, 0}, {1, 1, 1}, {3, 3, 3}, {2, 2, 2}});
    ASSERT_TRUE(triangles);
    EXPECT_EQ(triangles->size(), 2u);
}

TEST(Polygon, TooManyCornersAreRefusedUnlessTheyAreAFan) {
    Corners ring;
    const int corners = int(kMostPolygonCorners) + 1;
    for (int k = 0; k < corners; ++k) {
        const double angle = 2 * std::numbers::pi * k / corners;
        ring.emplace_back(std::cos(angle), std::sin(angle), 0);
    }
    EXPECT_TRUE(triangulatePolygon(ring));
    ring[corners / 2] *= 0.5;
    ring[corners / 3] *= -0.5;
    const auto refused = triangulatePolygon(ring);
    ASSERT_FALSE(refused);
    EXPECT_NE(refused.error().message.find("at most 4096"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::geometry
