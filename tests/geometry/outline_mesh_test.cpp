#include "geometry/fillings/outline_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

#include "geometry/triangle_mesh.hpp"

namespace clothlab::geometry {
namespace {

/// A closed polygon with its sides divided into pieces of about `spacing`.
std::vector<Vec2> divided(const std::vector<Vec2>& corners, double spacing) {
    std::vector<Vec2> out;
    for (std::size_t k = 0; k < corners.size(); ++k) {
        const Vec2 &a = corners[k], &b = corners[(k + 1) % corners.size()];
        const int pieces = int(std::lround((b - a).norm() / spacing));
        for (int piece = 0; piece < pieces; ++piece) out.push_back(a + double(piece) / pieces * (b - a));
    }
    return out;
}

struct Piece {
    const char* name;
    std::vector<Vec2> corners;
};
std::vector<Piece> pieces() {
    std::vector<Vec2> circle;
    for (int k = 0; k < 24; ++k) {
        const double angle = k * std::numbers::pi / 12;
        circle.push_back({std::cos(angle), std::sin(angle)});
    }
    return {{"square", {{0, 0}, {1, 0}, {1, 1}, {0, 1}}},
            {"L", {{0, 0}, {2, 0}, {2, 0.7}, {0.8, 0.7}, {0.8, 2}, {0, 2}}},
            {"comb",
             {{0, 0},
              {2.2, 0},
              {2.2, 1},
              {1.7, 1},
              {1.7, 0.4},
              {1.3, 0.4},
              {1.3, 1},
              {0.8, 1},
              {0.8, 0.4},
              {0.5, 0.4},
              {0.5, 1},
              {0, 1}}},
            {"rhomb", {{0.3, 0}, {1.5, 0.6}, {1.7, 1.8}, {0.5, 1.2}}},
            {"circle", circle}};
}

double areaOf(std::span<const Vec2> polygon) {
    double twice = 0;
    for (std::size_t k = 0; k < polygon.size(); ++k) {
        const Vec2 &a = polygon[k], &b = polygon[(k + 1) % polygon.size()];
        twice += a.x() * b.y() - a.y() * b.x();
    }
    return 0.5 * twice;
}

double angleAt(const Vec2& a, const Vec2& b, const Vec2& c) {
    const Vec2 p = b - a, q = c - a;
    return std::acos(p.dot(q) / (p.norm() * q.norm())) * 180 / std::numbers::pi;
}

class OutlineMeshTest : public ::testing::TestWithParam<double> {};

TEST_P(OutlineMeshTest, TilesThePolygonAndKeepsItsSides) {
    for (const auto& [name, corners] : pieces()) {
        SCOPED_TRACE(name);
        const std::vector<Vec2> outline = divided(corners, GetParam());
        const FlatMesh mesh = fillOutline(outline, GetParam());
        ASSERT_TRUE(std::equal(outline.begin(), outline.end(), mesh.points.begin()));
        const Index points = Index(mesh.points.size());
        ASSERT_FALSE(findEdgeFault(mesh.triangles, points));
        double area = 0;
        for (const Triangle& t : mesh.triangles) {
            const std::vector<Vec2> corner{mesh.points[t[0]], mesh.points[t[1]], mesh.points[t[2]]};
            EXPECT_GT(areaOf(corner), 0);
            area += areaOf(corner);
        }
        EXPECT_NEAR(area, areaOf(outline), 1e-12);
        // Triangles of one orientation whose areas add up to that of the outline do not overlap if the outline is their
        // border.
        std::size_t border = 0;
        for (const MeshEdge& e : collectEdges(mesh.triangles, points)) {
            if (e.isHinge()) continue;
            ++border;
            EXPECT_TRUE(e.b == e.a + 1 || (e.a == 0 && e.b == Index(outline.size()) - 1)) << e.a << " - " << e.b;
        }
        EXPECT_EQ(border, outline.size());
        EXPECT_EQ(long(points) - long(collectEdges(mesh.triangles, points).size()) + long(mesh.triangles.size()), 1);
    }
}

TEST_P(OutlineMeshTest, IsNearlyRegular) {
    for (const auto& [name, corners] : pieces()) {
        SCOPED_TRACE(name);
        const double spacing = GetParam();
        const FlatMesh mesh = fillOutline(divided(corners, spacing), spacing);
        double smallest = 180;
        for (const Triangle& t : mesh.triangles)
            for (int k = 0; k < 3; ++k) {
                const Vec2 &a = mesh.points[t[k]], &b = mesh.points[t[(k + 1) % 3]], &c = mesh.points[t[(k + 2) % 3]];
                smallest = std::min(smallest, angleAt(a, b, c));
                EXPECT_GT((b - a).norm(), 0.4 * spacing);
                EXPECT_LT((b - a).norm(), 1.8 * spacing);
            }
        EXPECT_GT(smallest, 22);
    }
}

// Delaunay's condition, edge by edge: the two angles opposite an inner edge sum to at most 180 degrees.
TEST_P(OutlineMeshTest, IsDelaunay) {
    for (const auto& [name, corners] : pieces()) {
        SCOPED_TRACE(name);
        const FlatMesh mesh = fillOutline(divided(corners, GetParam()), GetParam());
        const auto& p = mesh.points;
        for (const MeshEdge& e : collectEdges(mesh.triangles, Index(p.size()))) {
            if (!e.isHinge()) continue;
            const double sum = angleAt(p[e.opposite[0]], p[e.a], p[e.b]) + angleAt(p[e.opposite[1]], p[e.a], p[e.b]);
            EXPECT_LT(sum, 180 + 1e-5) << e.a << " - " << e.b;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Spacings, OutlineMeshTest, ::testing::Values(0.2, 0.1, 0.07, 0.03));

TEST(OutlineMesh, KeepsTheLatticeInside) {
    constexpr double kSpacing = 0.03;
    const FlatMesh mesh = fillOutline(divided({{0, 0}, {1, 0}, {1, 1}, {0, 1}}, kSpacing), kSpacing);
    int regular = 0;
    for (const MeshEdge& e : collectEdges(mesh.triangles, Index(mesh.points.size()))) {
        const Vec2 middle = 0.5 * (mesh.points[e.a] + mesh.points[e.b]);
        if ((middle - Vec2(0.5, 0.5)).cwiseAbs().maxCoeff() > 0.15) continue;
        EXPECT_NEAR((mesh.points[e.a] - mesh.points[e.b]).norm(), kSpacing, 1e-12);
        ++regular;
    }
    EXPECT_GT(regular, 80);
}

TEST(OutlineMesh, OfATriangleWithoutRoomForMoreIsThatTriangle) {
    const FlatMesh mesh = fillOutline(std::vector<Vec2>{{0, 0}, {1, 0}, {0.5, 0.9}}, 1);
    EXPECT_EQ(mesh.points.size(), 3u);
    EXPECT_EQ(mesh.triangles.size(), 1u);
}

}  // namespace
}  // namespace clothlab::geometry
