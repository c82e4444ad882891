#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "samples.hpp"

namespace clothlab::cloth {
namespace {

std::size_t count(int q, Topology topology) {
    const geometry::GridPatch grid{q, q};
    return gridSprings(grid, topology, samples::flat(grid, 0.01), 0, 0).size();
}

TEST(Topology, SpringCountsOfThePapers) {
    EXPECT_EQ(count(41, Topology::Provot12), 9678u);
    EXPECT_EQ(count(81, Topology::Provot12), 38558u);
    EXPECT_EQ(count(161, Topology::Provot12), 153918u);
    EXPECT_EQ(count(41, Topology::ChoiKo16), 12720u);
    EXPECT_EQ(count(81, Topology::ChoiKo16), 51040u);
    EXPECT_EQ(count(161, Topology::ChoiKo16), 204480u);
    EXPECT_EQ(count(81, Topology::Liu), 32158u);
}

TEST(Topology, SpringsAreSortedUniqueAndAtRest) {
    for (const Topology topology : {Topology::Provot12, Topology::ChoiKo16, Topology::Liu})
        for (const auto& [rows, columns] : {std::pair{7, 9}, {2, 2}, {2, 3}, {3, 3}, {5, 2}, {1, 4}, {4, 1}}) {
            const samples::Sample s = samples::crumpled(rows, columns, topology);
            const auto& springs = s.model.springs;
            EXPECT_TRUE(std::is_sorted(
                springs.begin(), springs.end(),
                [](const Spring& a, const Spring& b) {
                    return a.i != b.i ? a.i < b.i : a.j <= b.j;  // <=: equal pairs are not sorted, so there are none
                }))
                << rows << " x " << columns;
            for (const Spring& e : springs) {
                EXPECT_LT(e.i, e.j);
                EXPECT_DOUBLE_EQ(e.restLength, (s.model.rest[e.j] - s.model.rest[e.i]).norm());
                const Vec3 d = (s.model.rest[e.j] - s.model.rest[e.i]).cwiseAbs() / 0.1;
                const double squared = std::round(d.squaredNorm());
                EXPECT_EQ(e.family, squared == 1   ? SpringFamily::Stretch
                                    : squared == 2 ? SpringFamily::Shear
                                                   : SpringFamily::Bend);
            }
        }
}

TEST(ClothModel, MassesAndAreas) {
    const geometry::GridPatch grid{4, 6};
    MaterialSettings material;
    material.density = 0.5;
    ClothModel model;
    appendGrid(model, grid, Topology::Provot12, 0.1, samples::flat(grid, 0.1), material);
    for (const double m : model.mass) EXPECT_DOUBLE_EQ(m, 0.5 * 0.01);
    const double area = std::accumulate(model.restArea.begin(), model.restArea.end(), 0.0);
    EXPECT_NEAR(area, 3 * 5 * 0.01, 1e-15);
    EXPECT_NEAR(model.patches[0].area, area, 1e-15);
    material.density = 0;
    material.particleMass = 2e-5;
    applyMaterials(model, {&material, 1});
    for (const double m : model.mass) EXPECT_DOUBLE_EQ(m, 2e-5);
}

TEST(ClothModel, TwoClothsInOneNumbering) {
    const geometry::GridPatch small{3, 3}, large{4, 5};
    MaterialSettings light, heavy;
    light.density = 0.1;
    heavy.density = 1;
    ClothModel model;
    appendGrid(model, small, Topology::Provot12, 0.1, samples::flat(small, 0.1), light);
    const std::uint64_t first = model.revision;
    appendGrid(model, large, Topology::ChoiKo16, 0.2, samples::flat(large, 0.2), heavy);
    EXPECT_NE(model.revision, first);
    ASSERT_EQ(model.particles(), 29);
    EXPECT_EQ(model.rest[9], Vec3(0, 0, 0));
    EXPECT_EQ(model.rest[10], Vec3(0.2, 0, 0));
    EXPECT_DOUBLE_EQ(model.mass[8], 0.1 * 0.01);
    EXPECT_DOUBLE_EQ(model.mass[9], 0.04);
    for (const Spring& s : model.springs) {
        EXPECT_EQ(s.material, s.i < 9 ? 0 : 1);
        EXPECT_EQ(s.i < 9, s.j < 9);
    }
    for (std::size_t t = 0; t < model.triangles.size(); ++t)
        for (const Index i : model.triangles[t]) EXPECT_EQ(i < 9, t < 8);
}

}  // namespace
}  // namespace clothlab::cloth
