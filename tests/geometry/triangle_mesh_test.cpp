#include "geometry/triangle_mesh.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <random>

#include "geometry/files/mesh_file.hpp"

namespace clothlab::geometry {
namespace {

TriangleMesh disc() {
    auto mesh = readMeshFile(CLOTHLAB_SOURCE_DIR "/assets/meshes/disc.obj");
    EXPECT_TRUE(mesh) << (mesh ? "" : mesh.error().text());
    return mesh ? *mesh : TriangleMesh{};
}

/// The edges of triangles by the definition: each pair of corners, with the third ones in the order of the triangles.
std::vector<MeshEdge> edgesByDefinition(const std::vector<Triangle>& triangles) {
    std::map<std::pair<Index, Index>, std::vector<Index>> opposite;
    for (const Triangle& t : triangles)
        for (int k = 0; k < 3; ++k) opposite[std::minmax(t[k], t[(k + 1) % 3])].push_back(t[(k + 2) % 3]);
    std::vector<MeshEdge> edges;
    edges.reserve(opposite.size());
    for (const auto& [ends, corners] : opposite)
        edges.push_back({ends.first, ends.second, {corners[0], corners.size() > 1 ? corners[1] : -1}});
    return edges;
}

TEST(TriangleMesh, EdgesAreThoseOfTheDefinition) {
    const TriangleMesh mesh = disc();
    const auto edges = collectEdges(mesh.triangles, Index(mesh.points.size()));
    EXPECT_EQ(edges, edgesByDefinition(mesh.triangles));
    EXPECT_EQ(mesh.points.size() + mesh.triangles.size(), edges.size() + 1) << "Euler: a disc has no hole";
    EXPECT_EQ(std::count_if(edges.begin(), edges.end(), [](const MeshEdge& e) { return !e.isHinge(); }), 80)
        << "the rim has 80 points";
    const std::vector<Triangle> grid = gridTriangles({7, 5});
    EXPECT_EQ(collectEdges(grid, 35), edgesByDefinition(grid));
}

TEST(TriangleMesh, AnEdgeHasAtMostTwoTrianglesAndTheyAreTurnedAlike) {
    const std::vector<Triangle> sound{{0, 1, 2}, {0, 2, 3}};
    EXPECT_FALSE(findEdgeFault(sound, 6));
    for (const Triangle& more : {Triangle{2, 0, 4}, Triangle{0, 2, 4}}) {
        const auto fault = findEdgeFault(std::vector<Triangle>{sound[0], sound[1], more}, 6);
        ASSERT_TRUE(fault);
        EXPECT_TRUE(fault->third);
        EXPECT_EQ(fault->triangle, 2);
    }
    const auto turned = findEdgeFault(std::vector<Triangle>{{3, 4, 5}, {0, 1, 2}, {1, 2, 3}, {3, 4, 1}}, 6);
    ASSERT_TRUE(turned);
    EXPECT_FALSE(turned->third);
    EXPECT_EQ(turned->triangle, 2) << "of two faults the one that comes first in the file";
    EXPECT_EQ(turned->other, 1);
    EXPECT_EQ((std::pair{turned->a, turned->b}), (std::pair{1, 2}));
}

TEST(TriangleMesh, NormalsAndPlanarTexturesOfAFlatMesh) {
    const TriangleMesh mesh = disc();
    for (const Vec3& n : pointNormals(mesh.points, mesh.triangles)) EXPECT_LT((n - Vec3::UnitY()).norm(), 1e-12);
    const auto textures = planarTextures(mesh.points, mesh.triangles);
    ASSERT_EQ(textures.size(), mesh.points.size());
    for (const MeshEdge& e : collectEdges(mesh.triangles, Index(mesh.points.size()))) {
        const double u = textures[e.a][0] - textures[e.b][0], v = textures[e.a][1] - textures[e.b][1];
        EXPECT_NEAR(std::hypot(u, v), (mesh.points[e.a] - mesh.points[e.b]).norm(), 1e-12) << "lengths are kept";
    }
}

TEST(TriangleMesh, DegenerateIsMeasuredBySize) {
    for (const double size : {1e-6, 1.0, 1e6}) {
        const Vec3 a(0, 0, 0), b(size, 0, 0), c(0.5 * size, 1e-6 * size, 0), d(0.5 * size, 1e-12 * size, 0);
        EXPECT_FALSE(isDegenerate(a, b, c)) << size;
        EXPECT_TRUE(isDegenerate(a, b, d)) << size;
        EXPECT_TRUE(isDegenerate(a, b, b)) << size;
        EXPECT_TRUE(isDegenerate(a, a, a)) << size;
    }
}

}  // namespace
}  // namespace clothlab::geometry
