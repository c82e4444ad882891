#include "geometry/fillings/t_shirt.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <tuple>

#include "geometry/fillings/body.hpp"
#include "geometry/intersections.hpp"

namespace clothlab::geometry {
namespace {

Vec3 inPattern(const TriangleMesh& mesh, Index point) { return {mesh.textures[point][0], mesh.textures[point][1], 0}; }

/// Border loops, each as its points in order along the border.
std::vector<std::vector<Index>> loopsOf(const TriangleMesh& mesh) {
    std::vector<std::vector<Index>> beside(mesh.points.size()), loops;
    for (const MeshEdge& e : collectEdges(mesh.triangles, Index(mesh.points.size()))) {
        if (e.isHinge()) continue;
        beside[e.a].push_back(e.b);
        beside[e.b].push_back(e.a);
    }
    for (std::size_t start = 0; start < beside.size(); ++start) {
        if (beside[start].empty()) continue;
        std::vector<Index>& loop = loops.emplace_back();
        for (Index at = Index(start); !beside[at].empty();) {
            EXPECT_TRUE(loop.empty() ? beside[at].size() == 2 : beside[at].size() == 1) << "where borders touch";
            loop.push_back(at);
            const Index next = beside[at].back();
            beside[at].clear();
            std::erase(beside[next], at);
            at = next;
        }
    }
    return loops;
}

Vec3 computeCentroid(const TriangleMesh& mesh, const std::vector<Index>& points) {
    Vec3 sum = Vec3::Zero();
    for (const Index k : points) sum += mesh.points[k];
    return sum / double(points.size());
}

class TShirtTest : public ::testing::TestWithParam<double> {
protected:
    TriangleMesh mesh_ = makeTShirt(GetParam());
    Index points_ = Index(mesh_.points.size());
};

TEST_P(TShirtTest, IsOneSurfaceWithFourBorders) {
    ASSERT_EQ(mesh_.textures.size(), mesh_.points.size());
    ASSERT_FALSE(findEdgeFault(mesh_.triangles, points_));
    const std::vector<MeshEdge> edges = collectEdges(mesh_.triangles, points_);
    // Joined by edges, and each point in a face.
    std::vector<Index> root(mesh_.points.size());
    for (Index k = 0; k < points_; ++k) root[k] = k;
    const auto find = [&](Index k) {
        while (root[k] != k) k = root[k] = root[root[k]];
        return k;
    };
    for (const MeshEdge& e : edges) root[find(e.a)] = find(e.b);
    for (Index k = 0; k < points_; ++k) EXPECT_EQ(find(k), find(0)) << k;
    EXPECT_EQ(long(points_) - long(edges.size()) + long(mesh_.triangles.size()), -2) << "a sphere with four holes";

    auto loops = loopsOf(mesh_);
    ASSERT_EQ(loops.size(), 4u);
    std::sort(loops.begin(), loops.end(), [&](const auto& p, const auto& q) {
        return computeCentroid(mesh_, p).y() < computeCentroid(mesh_, q).y();
    });
    const auto &hem = loops[0], &sleeve = loops[1], &other = loops[2], &neck = loops[3];
    EXPECT_NEAR(computeCentroid(mesh_, sleeve).z(), -computeCentroid(mesh_, other).z(), 1e-12);
    EXPECT_GT(std::abs(computeCentroid(mesh_, sleeve).z()), 0.3);
    EXPECT_NEAR(computeCentroid(mesh_, neck).z(), 0, 1e-12);
    double hemLength = 0;
    for (std::size_t k = 0; k < hem.size(); ++k) {
        EXPECT_NEAR(mesh_.textures[hem[k]][1], 0, 1e-12);
        hemLength += (inPattern(mesh_, hem[k]) - inPattern(mesh_, hem[(k + 1) % hem.size()])).norm();
    }
    EXPECT_NEAR(hemLength, 4 * 0.25, 0.03);
    for (const auto& loop : {sleeve, other})
        for (const Index k : loop) {
            const auto along = [&](Index p) { return 12 * std::abs(mesh_.textures[p][0]) - 5 * mesh_.textures[p][1]; };
            EXPECT_NEAR(along(k), along(loop[0]), 1e-12) << "cut straight, and across the slope of 5 in 12 of the top";
        }
}

TEST_P(TShirtTest, HasTrianglesThatAreNearlyRegular) {
    for (const Triangle& t : mesh_.triangles)
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = inPattern(mesh_, t[k]);
            const Vec3 p = inPattern(mesh_, t[(k + 1) % 3]) - a, q = inPattern(mesh_, t[(k + 2) % 3]) - a;
            EXPECT_GT(std::acos(p.dot(q) / (p.norm() * q.norm())) * 180 / std::numbers::pi, 22) << a.transpose();
            EXPECT_GT(p.norm(), 0.5 * GetParam()) << a.transpose();
            EXPECT_LT(p.norm(), 1.7 * GetParam()) << a.transpose();
        }
}

TEST_P(TShirtTest, IsAsLongOnTheFormAsInThePattern) {
    for (const MeshEdge& e : collectEdges(mesh_.triangles, points_)) {
        const double pattern = (inPattern(mesh_, e.a) - inPattern(mesh_, e.b)).norm();
        const double strain = (mesh_.points[e.a] - mesh_.points[e.b]).norm() / pattern - 1;
        EXPECT_LT(std::abs(strain), 0.1) << inPattern(mesh_, e.a).transpose();
    }
}

TEST_P(TShirtTest, KeepsOffTheFormAndFacesAway) {
    const Body torso = makeTorso();
    const double least = 0.005;
    for (const Vec3& p : mesh_.points) EXPECT_GT(torso.sample(p).distance, least) << p.transpose();
    for (const MeshEdge& e : collectEdges(mesh_.triangles, points_)) {
        const Vec3 middle = 0.5 * (mesh_.points[e.a] + mesh_.points[e.b]);
        EXPECT_GT(torso.sample(middle).distance, least) << middle.transpose();
    }
    for (const Triangle& t : mesh_.triangles) {
        const Vec3 &a = mesh_.points[t[0]], &b = mesh_.points[t[1]], &c = mesh_.points[t[2]];
        const DistanceSample middle = torso.sample((a + b + c) / 3);
        EXPECT_GT(middle.distance, least) << a.transpose();
        EXPECT_GT(areaVector(a, b, c).normalized().dot(middle.normal), 0.1) << a.transpose();
    }
}

TEST_P(TShirtTest, DoesNotGoThroughItself) { EXPECT_TRUE(findIntersections(mesh_.points, mesh_.triangles).empty()); }

TEST_P(TShirtTest, IsItsOwnMirrorImage) {
    std::set<std::tuple<double, double, double, double, double>> places;
    for (Index k = 0; k < points_; ++k) {
        const Vec3& p = mesh_.points[k];
        places.insert({p.x(), p.y(), p.z(), mesh_.textures[k][0], mesh_.textures[k][1]});
    }
    ASSERT_EQ(Index(places.size()), points_) << "two points at one place";
    for (const auto& [x, y, z, u, v] : places)
        EXPECT_TRUE(places.count({x, y, -z, -u, v})) << x << " " << y << " " << z;
}

// In the pattern, triangles of the front are counter-clockwise; the back is seen through it, so that they are
// clockwise.
TEST_P(TShirtTest, HasItsPatternAsTextures) {
    double area[2] = {0, 0};
    for (const Triangle& t : mesh_.triangles) {
        const double forward = mesh_.points[t[0]].x() + mesh_.points[t[1]].x() + mesh_.points[t[2]].x();
        const double twice = areaVector(inPattern(mesh_, t[0]), inPattern(mesh_, t[1]), inPattern(mesh_, t[2])).z();
        EXPECT_GT(forward * twice, 0);
        area[forward > 0] += 0.5 * std::abs(twice);
    }
    // Front and back differ in the quarters of ellipses that are cut out at the neck: the back has more cloth there.
    EXPECT_NEAR(area[0] - area[1], std::numbers::pi / 2 * 0.085 * (0.09 - 0.045), 2e-4 + 0.3 * GetParam() * GetParam());
    double high = 0, wide = 0;
    for (const TextureCoordinate& t : mesh_.textures) {
        high = std::max(high, t[1]);
        wide = std::max(wide, t[0]);
        EXPECT_GE(t[1], -1e-12);
    }
    EXPECT_NEAR(high, 0.7, 0.005);
    EXPECT_NEAR(wide, 0.44, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Spacings, TShirtTest, ::testing::Values(kCoarsestTShirt, 0.05, 0.03, 0.02, kTShirtOfYe));

TEST(TShirt, OfYeHasAsManyNodes) { EXPECT_NEAR(double(makeTShirt(kTShirtOfYe).points.size()), 2792, 5); }

TEST(TShirt, HasAsManyPointsAsTheHeaderSays) {
    for (double spacing = kCoarsestTShirt; spacing > 0.01; spacing *= 0.9)
        EXPECT_NEAR(double(makeTShirt(spacing).points.size()) * spacing * spacing, 0.94, 0.04) << spacing;
}

}  // namespace
}  // namespace clothlab::geometry
