#include <gtest/gtest.h>

#include <numbers>
#include <numeric>
#include <set>

#include "cloth/forces.hpp"
#include "geometry/files/mesh_file.hpp"
#include "samples.hpp"

namespace clothlab::cloth {
namespace {

geometry::TriangleMesh disc() {
    auto mesh = geometry::readMeshFile(CLOTHLAB_SOURCE_DIR "/assets/meshes/disc.obj");
    EXPECT_TRUE(mesh) << (mesh ? "" : mesh.error().text());
    return mesh ? *mesh : geometry::TriangleMesh{};
}

std::vector<Index> identity(const geometry::TriangleMesh& mesh) {
    std::vector<Index> order(mesh.points.size());
    std::iota(order.begin(), order.end(), 0);
    return order;
}

TEST(Mesh, WeighsDensityTimesArea) {
    const geometry::TriangleMesh mesh = disc();
    ClothModel model;
    MaterialSettings material{.density = 0.2};
    appendMesh(model, mesh, identity(mesh), material);
    double area = 0;
    for (const auto& [a, b, c] : mesh.triangles)
        area += 0.5 * geometry::areaVector(mesh.points[a], mesh.points[b], mesh.points[c]).norm();
    EXPECT_NEAR(area, 80 * 0.5 * 0.25 * std::sin(2 * std::numbers::pi / 80), 1e-5) << "a polygon of 80 sides";
    EXPECT_NEAR(model.patches[0].area, area, 1e-12);
    EXPECT_NEAR(std::accumulate(model.restArea.begin(), model.restArea.end(), 0.0), area, 1e-12);
    EXPECT_NEAR(std::accumulate(model.mass.begin(), model.mass.end(), 0.0), 0.2 * area, 1e-13);
    EXPECT_NEAR(model.patches[0].measurePerParticle() * 600, area, 1e-12);
    EXPECT_GT(*std::min_element(model.mass.begin(), model.mass.end()), 0);
    material.density = 0.4;
    applyMaterials(model, {&material, 1});
    EXPECT_NEAR(std::accumulate(model.mass.begin(), model.mass.end(), 0.0), 0.4 * area, 1e-13);
    material.particleMass = 0.01;
    applyMaterials(model, {&material, 1});
    EXPECT_EQ(std::count(model.mass.begin(), model.mass.end(), 0.01), 600);
}

TEST(Mesh, EdgesStretchAndHingesBend) {
    const geometry::TriangleMesh mesh = disc();
    ClothModel model;
    appendMesh(model, mesh, identity(mesh), {});
    std::set<std::pair<Index, Index>> edges, hinges;
    for (const geometry::MeshEdge& e : model.edges) {
        edges.emplace(e.a, e.b);
        // Both triangles of a hinge see the same pair of opposite corners.
        if (e.isHinge()) hinges.insert(std::minmax(e.opposite[0], e.opposite[1]));
    }
    std::size_t stretch = 0, bend = 0;
    for (const Spring& s : model.springs) {
        const std::pair ends(s.i, s.j);
        EXPECT_LT(s.i, s.j);
        EXPECT_DOUBLE_EQ(s.restLength, (model.rest[s.j] - model.rest[s.i]).norm());
        stretch += s.family == SpringFamily::Stretch;
        bend += s.family == SpringFamily::Bend;
        EXPECT_TRUE(s.family == SpringFamily::Stretch ? edges.contains(ends)
                                                      : hinges.contains(ends) && !edges.contains(ends));
    }
    EXPECT_EQ(stretch, edges.size());
    std::erase_if(hinges, [&](const auto& ends) { return edges.contains(ends); });
    EXPECT_EQ(bend, hinges.size());
    for (std::size_t k = 1; k < model.springs.size(); ++k)
        EXPECT_LT(std::pair(model.springs[k - 1].i, model.springs[k - 1].j),
                  std::pair(model.springs[k].i, model.springs[k].j))
            << "sorted, and no pair twice";
}

// Four triangles around a point: the corners 1 and 3 face each other over two edges, and 2 and 4 as well.
TEST(Mesh, APairHasOneSpring) {
    geometry::TriangleMesh mesh{.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(-1, 0, 0), Vec3(0, -1, 0)},
                                .triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 1}},
                                .textures = {}};
    ClothModel open;
    appendMesh(open, mesh, identity(mesh), {});
    EXPECT_EQ(open.springs.size(), 8u + 2u);
    // A tetrahedron: every hinge's corners are joined by an edge.
    mesh = {.points = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)},
            .triangles = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}},
            .textures = {}};
    ClothModel closed;
    appendMesh(closed, mesh, identity(mesh), {});
    EXPECT_EQ(closed.springs.size(), 6u);
    for (const Spring& s : closed.springs) EXPECT_EQ(s.family, SpringFamily::Stretch);
}

// The same mesh in another order is the same cloth: forces go with the particles.
TEST(Mesh, TheOrderOfTheParticlesChangesNoForce) {
    const geometry::TriangleMesh mesh = disc();
    std::vector<Index> shuffled = identity(mesh);
    std::mt19937 random(3);
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    ClothModel plain, mixed;
    const MaterialSettings material = samples::evenMaterial();
    appendMesh(plain, mesh, identity(mesh), material);
    appendMesh(mixed, mesh, shuffled, material);
    EXPECT_EQ(mixed.outsideNumber, shuffled);
    ForceModel ofPlain, ofMixed;
    const MaterialSettings materials[] = {material};
    ofPlain.configure(plain, materials, {});
    ofMixed.configure(mixed, materials, {});
    linalg::BlockVector x = plain.rest, y(x.size()), v(x.size()), w(x.size());
    for (Index i = 0; i < x.size(); ++i) {
        x[i] += samples::randomVector(random, 0.01);
        v[i] = samples::randomVector(random, 1);
    }
    for (Index k = 0; k < x.size(); ++k) {
        y[k] = x[shuffled[k]];
        w[k] = v[shuffled[k]];
        EXPECT_DOUBLE_EQ(mixed.mass[k], plain.mass[shuffled[k]]);
        EXPECT_EQ(mixed.textures[k], plain.textures[shuffled[k]]);
    }
    const linalg::BlockVector f = samples::forcesOf(ofPlain, samples::still(), x, v),
                              g = samples::forcesOf(ofMixed, samples::still(), y, w);
    for (Index k = 0; k < x.size(); ++k) EXPECT_LT((g[k] - f[shuffled[k]]).norm(), 1e-12 * (1 + f[shuffled[k]].norm()));
}

TEST(Mesh, StandsBetweenGridsInOneNumbering) {
    const geometry::TriangleMesh mesh = disc();
    std::vector<Index> backwards = identity(mesh);
    std::reverse(backwards.begin(), backwards.end());
    const geometry::GridPatch grid{3, 4};
    ClothModel model;
    appendGrid(model, grid, Topology::Provot12, 0.1, samples::flat(grid, 0.1), {});
    EXPECT_TRUE(model.outsideNumber.empty());
    const std::size_t gridEdges = model.edges.size(), gridSprings = model.springs.size();
    EXPECT_EQ(gridEdges, 9u + 8u + 6u) << "rows, columns, one diagonal per quad";
    appendMesh(model, mesh, backwards, {});
    appendGrid(model, grid, Topology::Provot12, 0.1, samples::flat(grid, 0.1), {});
    ASSERT_EQ(model.particles(), 12 + 600 + 12);
    for (Index i = 0; i < 12; ++i) {
        EXPECT_EQ(model.outsideNumber[i], i);
        EXPECT_EQ(model.outsideNumber[612 + i], 612 + i);
    }
    EXPECT_EQ(model.outsideNumber[12], 12 + 599);
    EXPECT_EQ(model.rest[12], mesh.points[599]);
    EXPECT_EQ(model.textures.size(), 624u);
    EXPECT_TRUE(std::is_sorted(model.springs.begin(), model.springs.end(), [](const Spring& a, const Spring& b) {
        return std::pair(a.i, a.j) < std::pair(b.i, b.j);
    }));
    EXPECT_EQ(model.springs[gridSprings].material, 1);
    for (std::size_t k = gridEdges; k + gridEdges < model.edges.size(); ++k) {
        const geometry::MeshEdge& e = model.edges[k];
        for (const Index i : {e.a, e.b, e.opposite[0], e.opposite[1]})
            EXPECT_TRUE((i >= 12 && i < 612) || i == -1) << "an edge of the mesh joins its own particles";
    }
}

}  // namespace
}  // namespace clothlab::cloth
