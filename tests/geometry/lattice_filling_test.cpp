#include "geometry/fillings/lattice_filling.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "geometry/triangle_mesh.hpp"
#include "support/sanitizers.hpp"

namespace clothlab::geometry {
namespace {

const std::vector<Vec3> kRegular{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

Body ball(double radius) {
    const Vec3 radii = Vec3::Constant(radius);
    return Body({{Ellipsoid{{0, 1, 0}, radii}, 0.01}});
}

double enclosed(const TetrahedralMesh& mesh) {
    double volume = 0;
    for (const Triangle& t : mesh.triangles)
        volume += mesh.points[t[0]].cross(mesh.points[t[1]]).dot(mesh.points[t[2]]) / 6;
    return volume;
}

double worst(const TetrahedralMesh& mesh) {
    double quality = INFINITY;
    for (const Tetrahedron& t : mesh.tetrahedra) quality = std::min(quality, computeQuality(mesh.points, t));
    return quality;
}

/// Checks the properties of every filling.
void isSound(const TetrahedralMesh& mesh, double flattest = 0.05) {
    EXPECT_GT(worst(mesh), flattest) << "no tetrahedron is inverted or flat";
    EXPECT_TRUE(isClosedSphere(mesh.triangles, Index(mesh.points.size())));
    const auto edges = collectEdges(mesh.triangles, Index(mesh.points.size()));
    EXPECT_FALSE(findEdgeFault(mesh.triangles, Index(mesh.points.size())));
    EXPECT_TRUE(std::ranges::all_of(edges, &MeshEdge::isHinge)) << "each edge in exactly two faces";
    std::set<Index> outer;
    for (const Triangle& t : mesh.triangles) outer.insert(t.begin(), t.end());
    EXPECT_EQ(int(outer.size()) - int(edges.size()) + int(mesh.triangles.size()), 2) << "Euler's characteristic";
    EXPECT_EQ(mesh.triangles, findBoundary(mesh.tetrahedra));
    double volume = 0;
    for (const Tetrahedron& t : mesh.tetrahedra) volume += computeVolume(mesh.points, t);
    const std::vector<double> shares = volumeShares(mesh);
    EXPECT_NEAR(volume, enclosed(mesh), 1e-12);
    EXPECT_NEAR(std::accumulate(shares.begin(), shares.end(), 0.0), volume, 1e-12);
    EXPECT_GT(*std::ranges::min_element(shares), 0) << "each point belongs to a tetrahedron";
}

TEST(Tetrahedron, VolumeAndQuality) {
    EXPECT_NEAR(computeVolume(kRegular, {0, 1, 2, 3}), -8.0 / 3, 1e-14);
    EXPECT_NEAR(computeVolume(kRegular, {0, 2, 1, 3}), 8.0 / 3, 1e-14);
    EXPECT_NEAR(computeQuality(kRegular, {0, 2, 1, 3}), 1, 1e-14);
    EXPECT_NEAR(computeQuality(kRegular, {0, 1, 2, 3}), -1, 1e-14);
    const std::vector<Vec3> flat{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    EXPECT_EQ(computeQuality(flat, {0, 1, 2, 3}), 0);
}

TEST(Tetrahedron, BoundaryIsTurnedOutward) {
    const std::vector<Tetrahedron> one{{0, 2, 1, 3}};
    for (const Triangle& t : findBoundary(one))
        EXPECT_GT(areaVector(kRegular[t[0]], kRegular[t[1]], kRegular[t[2]]).dot(kRegular[t[0]]), 0);
    const std::vector<Tetrahedron> two{{0, 2, 1, 3}, {0, 1, 2, 4}};  // on both sides of a face
    EXPECT_EQ(findBoundary(two).size(), 6u);
    EXPECT_EQ(collectEdges(two).size(), 9u);
    EXPECT_TRUE(isClosedSphere(findBoundary(two), 5));
}

TEST(Tetrahedron, PartsThatTouchAreNoClosedSphere) {
    const std::vector<Tetrahedron> alongAnEdge{{0, 1, 2, 3}, {0, 1, 4, 5}}, inAPoint{{0, 1, 2, 3}, {0, 4, 5, 6}},
        apart{{0, 1, 2, 3}, {4, 5, 6, 7}};
    const SurfaceFaults edge = findFaults(findBoundary(alongAnEdge), 6), point = findFaults(findBoundary(inAPoint), 7);
    EXPECT_EQ(edge.edges, (std::vector<std::pair<Index, Index>>{{0, 1}}));
    EXPECT_TRUE(point.edges.empty());
    EXPECT_EQ(point.points, (std::vector<Index>{0}));
    EXPECT_FALSE(isClosedSphere(findBoundary(alongAnEdge), 6));
    EXPECT_FALSE(isClosedSphere(findBoundary(inAPoint), 7));
    EXPECT_TRUE(findFaults(findBoundary(apart), 8).none());
    EXPECT_FALSE(isClosedSphere(findBoundary(apart), 8)) << "two spheres";
    const std::vector<Triangle> open{{0, 1, 2}};
    EXPECT_FALSE(isClosedSphere(open, 3));
    EXPECT_FALSE(isClosedSphere({}, 0));
}

TEST(Filling, OfABallHasItsVolumeAndItsSurface) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const double radius = 0.4, exact = 4 * std::numbers::pi / 3 * radius * radius * radius;
    double before = 0;
    for (const double spacing : {0.1, 0.05}) {
        const auto mesh = fillBody(ball(radius), {.spacing = spacing});
        ASSERT_TRUE(mesh) << mesh.error().text();
        isSound(*mesh, 0.35);
        for (const Triangle& t : mesh->triangles)
            for (const Index i : t) EXPECT_NEAR((mesh->points[i] - Vec3(0, 1, 0)).norm(), radius, 1e-9);
        const double missing = 1 - enclosed(*mesh) / exact;
        EXPECT_GT(missing, 0) << "chords lie inside";
        EXPECT_LT(missing, 0.5 * (spacing / radius) * (spacing / radius));
        if (before > 0) {
            EXPECT_NEAR(before / missing, 4, 1) << "second order";
        }
        before = missing;
        // Two points per cube of the volume, and in addition half of the surface points.
        const double inside = 2 * exact / (spacing * spacing * spacing),
                     outer = 2 + 0.5 * double(mesh->triangles.size());
        EXPECT_NEAR(double(mesh->points.size()), inside + 0.5 * outer, 0.1 * inside);
    }
}

TEST(Filling, OfABallHasFourteenNeighboursInside) {
    const auto mesh = fillBody(ball(0.4), {.spacing = 0.05});
    ASSERT_TRUE(mesh);
    std::vector<int> neighbours(mesh->points.size(), 0);
    for (const auto& [a, b] : collectEdges(mesh->tetrahedra)) ++neighbours[a], ++neighbours[b];
    for (std::size_t i = 0; i < mesh->points.size(); ++i)
        if ((mesh->points[i] - Vec3(0, 1, 0)).norm() < 0.3) {
            EXPECT_EQ(neighbours[i], 14);
        }
}

TEST(Filling, AFineSkinHasShortEdgesAndLeavesTheInside) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    constexpr double kSkin = 0.05;
    const Body body = ball(0.4);
    const auto coarse = fillBody(body, {.spacing = 0.08}),
               fine = fillBody(body, {.spacing = 0.08, .surfaceSpacing = kSkin});
    ASSERT_TRUE(coarse && fine);
    isSound(*fine, 0.1);
    EXPECT_GT(fine->triangles.size(), 2 * coarse->triangles.size());
    const auto inner = [](const TetrahedralMesh& mesh) {
        std::set<Index> outer;
        for (const Triangle& t : mesh.triangles) outer.insert(t.begin(), t.end());
        return mesh.points.size() - outer.size();
    };
    EXPECT_EQ(inner(*fine), inner(*coarse));
    TetrahedralMesh halved = *coarse;
    refineSurface(body, kSkin, 100'000, halved);
    isSound(halved, 0.1);
    for (const MeshEdge& e : collectEdges(halved.triangles, Index(halved.points.size())))
        EXPECT_LE((halved.points[e.a] - halved.points[e.b]).norm(), kSkin);
}

TEST(Filling, TheBodiesAreSoundAtAnyResolution) {
    if (testing::kSanitized) GTEST_SKIP() << "thousands of points smoothed";
    for (const BodyKind kind : {BodyKind::Hippo, BodyKind::Frog, BodyKind::Dog})
        for (const double share : {1.0, 0.87, 0.71})
            for (const double skin : {0.0, 0.8}) {
                const double spacing = share * coarsestSpacing(kind);
                SCOPED_TRACE(std::string(enumKey(kind)) + " " + std::to_string(spacing) + " " + std::to_string(skin));
                const auto mesh = fillBody(makeBody(kind), {.spacing = spacing, .surfaceSpacing = skin * spacing});
                ASSERT_TRUE(mesh) << mesh.error().text();
                isSound(*mesh);
            }
}

TEST(Filling, RefusesInWords) {
    if (testing::kRacesAlone) GTEST_SKIP() << "one thread";
    const auto message = [](const FillingSettings& settings) {
        const auto mesh = fillBody(makeBody(BodyKind::Dog), settings);
        return mesh ? std::string() : mesh.error().message;
    };
    EXPECT_NE(message({.spacing = 1e-4}).find("too fine: more than 4000000 points"), std::string::npos);
    const auto coarse = fillBody(ball(0.05), {.spacing = 0.4});
    ASSERT_FALSE(coarse);
    EXPECT_NE(coarse.error().message.find("does not fill this body"), std::string::npos);
    EXPECT_NE(message({.spacing = 0.04, .surfaceSpacing = 0.01, .mostPoints = 10'000}).find("10000 points or more"),
              std::string::npos);
}

}  // namespace
}  // namespace clothlab::geometry
