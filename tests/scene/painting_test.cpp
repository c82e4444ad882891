#include "scene/painting.hpp"

#include <gtest/gtest.h>

#include "scene/builder.hpp"

namespace clothlab::scene {
namespace {

const cloth::MaterialSettings kBase{.stretchStiffness = 100, .shearStiffness = 10, .bendStiffness = 0.5};
using Particles = std::vector<Index>;

TEST(Painting, AStrokeGrowsItsLayer) {
    const Brush stiff{.factor = 8}, heavy{.effect = BrushEffect::Weight, .factor = 3};
    Painting p = paint({}, stiff, 0, Particles{1, 4, 6}, kBase);
    p = paint(p, stiff, 0, Particles{0, 4}, kBase);
    ASSERT_EQ(p.layers.size(), 1u);
    EXPECT_EQ(p.layers[0].particles, (Particles{0, 1, 4, 6}));
    EXPECT_EQ(p.layers[0].says.values.stretchStiffness, 800);
    EXPECT_EQ(p.layers[0].says.values.bendStiffness, 4);
    p = paint(p, heavy, 0, Particles{4, 5}, kBase);
    ASSERT_EQ(p.layers.size(), 2u) << "weight and stiffness are separate layers";
    EXPECT_EQ(p.layers[0].particles, (Particles{0, 1, 4, 6}));
    EXPECT_DOUBLE_EQ(p.layers[1].says.values.density, 0.6);
    EXPECT_EQ(paint(p, stiff, 1, Particles{4}, kBase).layers.size(), 3u) << "another cloth";
}

TEST(Painting, AnotherStrokeReplacesWhatSaysTheSame) {
    const Brush stiff{.factor = 8}, soft{.factor = 0.25}, erase{.effect = BrushEffect::Erase};
    Painting p = paint({}, stiff, 0, Particles{1, 4, 6}, kBase);
    p = paint(p, soft, 0, Particles{4, 6, 7}, kBase);
    ASSERT_EQ(p.layers.size(), 2u);
    EXPECT_EQ(p.layers[0].particles, (Particles{1}));
    EXPECT_EQ(p.layers[1].particles, (Particles{4, 6, 7}));
    p = paint(p, stiff, 0, Particles{4, 6, 7}, kBase);
    ASSERT_EQ(p.layers.size(), 1u) << "empty layers are removed, in any order";
    EXPECT_EQ(p.layers[0].particles, (Particles{1, 4, 6, 7}));
    p = paint(p, erase, 0, Particles{1, 4}, kBase);
    EXPECT_EQ(p.layers[0].particles, (Particles{6, 7}));
    EXPECT_TRUE(paint(p, erase, 0, Particles{0, 6, 7}, kBase).empty());
}

TEST(Painting, AMassIsSaidAsTheClothSaysIt) {
    cloth::MaterialSettings base = kBase;
    base.particleMass = 0.25;
    base.density = 0;
    const Painting p = paint({}, {.effect = BrushEffect::Weight, .factor = 2}, 0, Particles{0}, base);
    EXPECT_EQ(p.layers[0].says.given, (std::vector<std::string>{"particle_mass"}));
    EXPECT_EQ(p.layers[0].says.values.particleMass, 0.5);
}

TEST(Painting, BecomesRegionsThatAreWrittenAndReadBack) {
    auto scene = readSceneText(
        "[cloth]\nrows = 3\ncolumns = 3\n[[set]]\nname = \"painted 1\"\nparticles = [2]\n[[region]]\nset = \"painted "
        "1\"\n"
        "density = 0.7\nstretch_stiffness = 5\n",
        "t.toml");
    ASSERT_TRUE(scene) << scene.error().text();
    const Painting p = paint({}, {.factor = 8}, 0, Particles{2, 3}, kBase);
    const Scene painted = withPainting(*scene, p);
    ASSERT_EQ(painted.regions.size(), 2u);
    EXPECT_EQ(painted.regions[1].where.set, "painted 2");
    const auto again = readSceneText(writeScene(painted), "t.toml");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->regions, painted.regions);
    EXPECT_EQ(again->sets, painted.sets);
    const auto world = buildWorld(*again);
    ASSERT_TRUE(world);
    const auto list = makeMaterials(world->materials, *again);
    EXPECT_EQ(list[world->model->material[2]].stretchStiffness, 800) << "paint overrides the scene's own regions";
    EXPECT_EQ(list[world->model->material[2]].density, 0.7);
    EXPECT_EQ(list[world->model->material[3]].density, 0.2);
}

}  // namespace
}  // namespace clothlab::scene
