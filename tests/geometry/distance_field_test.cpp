#include "geometry/distance_field.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "geometry/closest_points.hpp"
#include "geometry/closest_triangle.hpp"

#include <Eigen/Geometry>

namespace clothlab::geometry {
namespace {

TriangleMesh boxMesh(const Vec3& half) {
    TriangleMesh mesh;
    for (int corner = 0; corner < 8; ++corner)
        mesh.points.push_back(half.cwiseProduct(Vec3(corner & 1 ? 1 : -1, corner & 2 ? 1 : -1, corner & 4 ? 1 : -1)));
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

/// A globe of rings and meridians whose radius (m) follows from the direction.
template <class Radius>
TriangleMesh globe(int rings, Radius&& radius) {
    TriangleMesh mesh;
    const int around = 2 * rings;
    const auto add = [&](const Vec3& direction) { mesh.points.push_back(radius(direction) * direction); };
    add(Vec3::UnitY());
    for (int r = 1; r < rings; ++r)
        for (int k = 0; k < around; ++k) {
            const double a = std::numbers::pi * r / rings, b = 2 * std::numbers::pi * k / around;
            add({std::sin(a) * std::cos(b), std::cos(a), -std::sin(a) * std::sin(b)});
        }
    add(-Vec3::UnitY());
    const Index last = Index(mesh.points.size()) - 1;
    const auto at = [&](int r, int k) { return Index(1 + (r - 1) * around + k % around); };
    for (int k = 0; k < around; ++k) {
        mesh.triangles.push_back({0, at(1, k), at(1, k + 1)});
        mesh.triangles.push_back({last, at(rings - 1, k + 1), at(rings - 1, k)});
        for (int r = 1; r + 1 < rings; ++r) {
            mesh.triangles.push_back({at(r, k), at(r + 1, k), at(r + 1, k + 1)});
            mesh.triangles.push_back({at(r, k), at(r + 1, k + 1), at(r, k + 1)});
        }
    }
    return mesh;
}

/// With dents and bumps: its closest points are on faces, edges and corners that bend both ways.
TriangleMesh crumpledGlobe() {
    return globe(12, [](const Vec3& d) { return 0.3 + 0.1 * std::sin(7 * d.x()) * std::cos(5 * d.z() + d.y()); });
}

/// Signed distance, negative inside: the smallest distance over all triangles, with the sign of the solid angle.
double bruteForceDistance(const TriangleMesh& mesh, const Vec3& point) {
    double square = 1e300, angle = 0;
    for (const auto& [i, j, k] : mesh.triangles) {
        const Vec3 a = mesh.points[i] - point, b = mesh.points[j] - point, c = mesh.points[k] - point;
        square = std::min(
            square, closestPoints(PairKind::VertexTriangle, {point, mesh.points[i], mesh.points[j], mesh.points[k]})
                        .apart.squaredNorm());
        const double x = a.norm(), y = b.norm(), z = c.norm();
        angle += 2 * std::atan2(a.dot(b.cross(c)), x * y * z + a.dot(b) * z + b.dot(c) * x + c.dot(a) * y);
    }
    return (angle > 2 * std::numbers::pi ? -1 : 1) * std::sqrt(square);
}

std::vector<Vec3> somePoints(double within, int count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(-within, within);
    std::vector<Vec3> points;
    for (int k = 0; k < count; ++k) points.emplace_back(unit(random), unit(random), unit(random));
    return points;
}

TEST(ClosestTriangle, IsAsCloseAsTheClosestOfAll) {
    const TriangleMesh mesh = crumpledGlobe();
    const ClosestTriangle surface(mesh);
    for (const Vec3& point : somePoints(0.6, 400, 1)) {
        const double expected = std::abs(bruteForceDistance(mesh, point));
        const ClosestTriangle::Result closest = surface.find(point, HUGE_VAL);
        EXPECT_NEAR(closest.distance, expected, 1e-14);
        EXPECT_NEAR((point - closest.point).norm(), expected, 1e-14);
        EXPECT_LT(surface.find(point, 0.99 * expected).triangle, 0);
        EXPECT_NEAR(surface.find(point, 1.01 * expected).distance, expected, 1e-14);
    }
}

TEST(DistanceField, OfABoxIsTheDistanceToTheBox) {
    const Vec3 half(0.3, 0.2, 0.1);
    const DistanceField field = *DistanceField::build(boxMesh(half), 60);
    EXPECT_NEAR(field.cell(), 0.01, 1e-15);
    for (const Vec3& point : somePoints(0.3, 4000, 2)) {
        if (((point - field.low()).array() < 0).any() || ((field.high() - point).array() < 0).any()) continue;
        const DistanceSample exact = signedDistance(Box{half}, point), ours = field.sample(point);
        // Exact where the distance is linear; it has creases at the medial planes and outside of edges and corners.
        EXPECT_NEAR(ours.distance, exact.distance, 0.5 * field.cell());
        EXPECT_NEAR(ours.normal.norm(), 1, 1e-12);
    }
    for (const double y : {0.19, 0.2, 0.215}) {  // above the middle of a face both are the same
        const DistanceSample ours = field.sample({0.113, y, -0.021});
        EXPECT_NEAR(ours.distance, y - 0.2, 1e-7);
        EXPECT_LT((ours.normal - Vec3::UnitY()).norm(), 1e-5);
    }
}

TEST(DistanceField, OfADentedSurfaceIsWhatBruteForceFinds) {
    const TriangleMesh mesh = crumpledGlobe();
    const DistanceField field = *DistanceField::build(mesh, 50);
    TriangleMesh insideOut = mesh;
    for (Triangle& t : insideOut.triangles) std::swap(t[1], t[2]);
    const DistanceField turnedBack = *DistanceField::build(insideOut, 50);
    int inside = 0;
    for (const Vec3& point : somePoints(0.4, 2000, 3)) {
        if (((point - field.low()).array() < 0).any() || ((field.high() - point).array() < 0).any()) continue;
        const double expected = bruteForceDistance(mesh, point);
        inside += expected < 0;
        // The error is largest on the medial surface; near the surface itself only at creases.
        EXPECT_NEAR(field.sample(point).distance, expected,
                    (std::abs(expected) < field.cell() ? 0.35 : 0.5) * field.cell());
        EXPECT_EQ(field.sample(point).distance, turnedBack.sample(point).distance);
    }
    EXPECT_GT(inside, 100);
}

TEST(DistanceField, FarOutItIsALowerBoundThatGrowsAlongTheNormal) {
    const TriangleMesh mesh = crumpledGlobe();
    const DistanceField field = *DistanceField::build(mesh, 30);
    for (const Vec3& point : somePoints(3, 500, 4)) {
        const double expected = bruteForceDistance(mesh, point);
        const DistanceSample ours = field.sample(point);
        EXPECT_LE(ours.distance, expected + 0.35 * field.cell());
        if (point.norm() > 1) {
            EXPECT_GT(ours.distance, point.norm() - 0.8);
        }
        EXPECT_GT(field.sample(point + 0.01 * ours.normal).distance, ours.distance);
    }
}

TEST(DistanceField, AHoleIsFound) {
    TriangleMesh mesh = boxMesh({1, 1, 1});
    EXPECT_FALSE(findHole(mesh));
    mesh.triangles.erase(mesh.triangles.begin() + 5);  // 1 5 4
    const auto hole = findHole(mesh);
    ASSERT_TRUE(hole);
    EXPECT_EQ(hole->edges, 3);
    EXPECT_EQ(hole->a, 1);
    EXPECT_EQ(hole->b, 4);
}

TEST(DistanceField, BytesComeBackWholeOrNotAtAll) {
    const DistanceField field = *DistanceField::build(boxMesh({0.3, 0.2, 0.1}), 8);
    std::string bytes = field.bytes();
    const auto back = DistanceField::fromBytes(bytes);
    ASSERT_TRUE(back);
    for (const Vec3& point : somePoints(0.5, 50, 5))
        EXPECT_EQ(back->sample(point).distance, field.sample(point).distance);
    for (std::size_t size = 0; size < bytes.size(); size += 97)
        EXPECT_FALSE(DistanceField::fromBytes(std::string_view(bytes).substr(0, size))) << size;
    for (std::size_t at = 0; at < bytes.size(); at += 61) {
        bytes[at] ^= 4;
        EXPECT_FALSE(DistanceField::fromBytes(bytes)) << at;
        bytes[at] ^= 4;
    }
    EXPECT_TRUE(DistanceField::fromBytes(bytes));
}

TEST(DistanceField, SaysHowFarItIsAndStopsWhenAsked) {
    double last = -1;
    std::stop_source stop;
    const auto field = DistanceField::build(
        boxMesh({1, 1, 1}), 20,
        [&](double share) {
            EXPECT_GT(share, last);
            last = share;
            if (share > 0.5) stop.request_stop();
        },
        stop.get_token());
    EXPECT_FALSE(field);
    EXPECT_LT(last, 0.6);
}

}  // namespace
}  // namespace clothlab::geometry
