#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "scene/builder.hpp"
#include "support/sanitizers.hpp"

namespace clothlab::scene {
namespace {

const std::string kSmall = "[cloth]\nsolid = \"hippo\"\nspacing = 0.07\n";

World build(const std::string& text) {
    const auto scene = readSceneText(text, "s.toml");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    auto world = buildWorld(*scene);
    EXPECT_TRUE(world) << (world ? "" : world.error().text());
    return std::move(*world);
}

void refuses(const std::string& text, int line, int column, const std::string& fragment) {
    const auto scene = readSceneText(text, "s.toml");
    ASSERT_FALSE(scene) << text;
    EXPECT_EQ(std::pair(scene.error().line, scene.error().column), std::pair(line, column)) << scene.error().text();
    EXPECT_NE(scene.error().message.find(fragment), std::string::npos) << scene.error().text();
}

TEST(SolidScene, HasTheCountsOfThePaper) {
    struct Row {
        const char* scene;
        double particles, springs;
    };
    for (const Row& row :
         {Row{"liu-hippo", 2387, 13'135}, Row{"liu-frog", 6834, 35'261}, Row{"liu-dog", 28'390, 148'047}}) {
        if (testing::kSanitized && row.springs > 20'000) continue;  // smaller scenes run the same code
        const auto scene = findScene(row.scene, CLOTHLAB_SOURCE_DIR "/assets");
        ASSERT_TRUE(scene) << scene.error().text();
        const auto world = buildWorld(*scene);
        ASSERT_TRUE(world) << world.error().text();
        const cloth::ClothModel& model = *world->model;
        EXPECT_NEAR(model.particles(), row.particles, 0.03 * row.particles) << row.scene;
        EXPECT_NEAR(double(model.springs.size()), row.springs, 0.03 * row.springs) << row.scene;
        std::set<std::pair<Index, Index>> pairs;
        for (const cloth::Spring& s : model.springs) {
            EXPECT_LT(s.i, s.j);
            EXPECT_GT(s.restLength, 0);
            EXPECT_EQ(s.family, cloth::SpringFamily::Stretch);
            pairs.emplace(s.i, s.j);
        }
        EXPECT_EQ(pairs.size(), model.springs.size()) << "springs are unique";
        EXPECT_TRUE(
            std::ranges::is_sorted(model.springs, {}, [](const cloth::Spring& s) { return std::pair(s.i, s.j); }));
        EXPECT_FALSE(scene->settings.material.tensionOnly);
    }
}

TEST(SolidScene, WeighsVolumeTimesDensity) {
    World world = build("[material]\nvolume_density = 300\n" + kSmall);
    cloth::ClothModel& model = *world.model;
    const auto total = [&] { return std::accumulate(model.mass.begin(), model.mass.end(), 0.0); };
    double enclosed = 0;
    for (const geometry::Triangle& t : model.triangles)
        enclosed += Vec3(model.rest[t[0]]).cross(Vec3(model.rest[t[1]])).dot(Vec3(model.rest[t[2]])) / 6;
    EXPECT_GT(enclosed, 0.1);
    EXPECT_NEAR(model.patches[0].volume, enclosed, 1e-12);
    EXPECT_NEAR(total(), 300 * enclosed, 1e-9);
    EXPECT_NEAR(model.patches[0].measurePerParticle() * model.particles(), enclosed, 1e-12);
    EXPECT_GT(*std::ranges::min_element(model.mass), 0);
    cloth::MaterialSettings material;
    material.volumeDensity = 150;
    cloth::applyMaterials(model, {&material, 1});
    EXPECT_NEAR(total(), 150 * enclosed, 1e-9);
    material.particleMass = 0.01;
    cloth::applyMaterials(model, {&material, 1});
    EXPECT_NEAR(total(), 0.01 * model.particles(), 1e-9);
    EXPECT_NEAR(build("[material]\nparticle_mass = 0.02\n" + kSmall).model->mass[5], 0.02, 1e-15);
}

TEST(SolidScene, IsScaledTurnedAndMoved) {
    const World plain = build(kSmall), moved = build(kSmall + "origin = [1, 2, 3]\nrotation = [0, 0, 90]\nscale = 2\n");
    ASSERT_EQ(plain.model->particles(), moved.model->particles());
    EXPECT_EQ(plain.model->outsideNumber, moved.model->outsideNumber);
    for (Index i = 0; i < plain.start.x.size(); ++i) {
        const Vec3 p = plain.start.x[i];
        EXPECT_LT((moved.start.x[i] - Vec3(1 - 2 * p.y(), 2 + 2 * p.x(), 3 + 2 * p.z())).norm(), 1e-12);
    }
    EXPECT_NEAR(moved.model->patches[0].volume, 8 * plain.model->patches[0].volume, 1e-12);
}

TEST(SolidScene, IsNumberedInANarrowBandAndHasTextures) {
    const World world = build(kSmall);
    Index widest = 0;
    for (const cloth::Spring& s : world.model->springs) widest = std::max(widest, s.j - s.i);
    EXPECT_LT(widest, world.model->particles() / 4);
    EXPECT_EQ(Index(world.model->textures.size()), world.model->particles());
}

TEST(SolidScene, SetsNameItsParticles) {
    const World world =
        build(kSmall + "[[set]]\nname = \"feet\"\nbox = [[-1, -1, -1], [1, 0.02, 1]]\n[[pins]]\nset = \"feet\"\n");
    ASSERT_GT(world.start.pins.size(), 8u);
    for (const integrators::Pin& pin : world.start.pins) EXPECT_LT(pin.place.y(), 0.02);
}

TEST(SolidScene, RefusesWhatDoesNotGoTogether) {
    refuses("[cloth]\nsolid = \"cat\"\n", 2, 9, "cloth.solid");
    refuses("[cloth]\nsolid = 3\n", 2, 9, "cloth.solid");
    for (const char* key : {"rows = 5", "side = 1.0", "topology = \"liu\"", "gather = 0.9"})
        refuses(kSmall + key + "\n", 4, 1, "the cloth is the solid hippo, and only a grid has this");
    refuses(kSmall + "noise = 0.1\n", 4, 1, "the cloth is the solid hippo, and only a grid or a mesh has this");
    refuses("[cloth]\nspacing = 0.05\n", 2, 1, "the cloth is a grid, and only a solid has this");
    refuses("[cloth]\nsolid = \"dog\"\nspacing = 0.06\n", 3, 11,
            "too coarse for the limbs of the dog: at most 0.045 m");
    refuses(kSmall + "surface_spacing = 0.01\n", 4, 19, "too fine over an inside of 0.07 m: at least 0.0175 m, or 0");
    refuses("[cloth]\nsolid = \"dog\"\nspacing = 0.001\n", 3, 11, "cloth.spacing");
    refuses(kSmall + "[[pins]]\nrow = 0\ncolumn = 0\n", 5, 1, "the cloth is the solid hippo, which has no rows");
    refuses("[material]\nvolume_density = 0\n" + kSmall, 2, 18, "volume_density");
    refuses("[material]\nvolume_density = 9\nparticle_mass = 1\n" + kSmall, 3, 1,
            "volume_density and particle_mass are both given");
}

TEST(SolidScene, ComesBackFromTheWriter) {
    for (const char* mass : {"volume_density = 90\n", "particle_mass = 0.001\n"}) {
        const auto scene = readSceneText("[material]\n" + std::string(mass) + kSmall +
                                             "surface_spacing = 0.05\nscale = 0.5\nrotation = [0, 30, 0]\n",
                                         "s.toml");
        ASSERT_TRUE(scene) << scene.error().text();
        for (const bool all : {false, true}) {
            const auto again = readSceneText(writeScene(*scene, all), "s.toml");
            ASSERT_TRUE(again) << again.error().text();
            EXPECT_EQ(*again, *scene) << writeScene(*scene, all);
        }
    }
}

TEST(SolidScene, OverridesFillItAnew) {
    auto scene = readSceneText(kSmall, "s.toml");
    ASSERT_TRUE(scene);
    ASSERT_TRUE(makeSolids(*scene));
    const auto first = scene->cloths[0].solid.content;
    ASSERT_TRUE(makeSolids(*scene));
    EXPECT_EQ(scene->cloths[0].solid.content, first) << "the solid is made only once";
    const long coarse = particleCount(scene->cloths[0]);
    ASSERT_TRUE(applyOverride(*scene, "cloth.spacing=0.06"));
    EXPECT_GT(particleCount(scene->cloths[0]), coarse);
    EXPECT_EQ(buildWorld(*scene)->model->particles(), particleCount(scene->cloths[0]));
    ASSERT_TRUE(applyOverride(*scene, "cloth.spacing=0.4"));
    const auto world = buildWorld(*scene);
    ASSERT_FALSE(world);
    EXPECT_NE(world.error().message.find("too coarse for the limbs of the hippo"), std::string::npos);
    EXPECT_EQ(world.error().file, "s.toml");
    EXPECT_NE(applyOverride(*scene, "cloth.rows=4").error().message.find("the cloth is the solid hippo"),
              std::string::npos);
    ASSERT_TRUE(applyOverride(*scene, "material.particle_mass=0.5"));
    ASSERT_TRUE(applyOverride(*scene, "material.volume_density=70"));
    EXPECT_EQ(scene->settings.material.particleMass, 0);
    EXPECT_EQ(scene->settings.material.volumeDensity, 70);
    EXPECT_EQ(scene->settings.material.density, cloth::MaterialSettings{}.density);
}

}  // namespace
}  // namespace clothlab::scene
