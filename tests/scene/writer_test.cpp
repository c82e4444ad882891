#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "scene/scene.hpp"

namespace clothlab::scene {
namespace {

const std::string kAssets = CLOTHLAB_SOURCE_DIR "/assets";

Scene again(const Scene& scene, bool all) {
    auto read = readSceneText(writeScene(scene, all), scene.file);
    EXPECT_TRUE(read) << read.error().text() << "\n" << writeScene(scene, all);
    return read ? *read : Scene{};
}

TEST(Writer, BuiltInScenesComeBackWhole) {
    const auto names = builtInScenes(kAssets);
    ASSERT_GE(names.size(), 14u);
    EXPECT_EQ(names.front(), kDefaultScene);
    for (const std::string& name : names) {
        const auto scene = findScene(name, kAssets);
        ASSERT_TRUE(scene) << scene.error().text();
        EXPECT_FALSE(scene->title.empty() || scene->watch.empty()) << name;
        EXPECT_EQ(again(*scene, false), *scene) << name << "\n" << writeScene(*scene);
        EXPECT_EQ(again(*scene, true), *scene) << name << "\n" << writeScene(*scene, true);
    }
}

TEST(Writer, SeveralClothsForcesAndColliders) {
    Scene scene;
    scene.title = "quote \" backslash \\ tab \t line\nend";
    scene.settings.material.particleMass = 1e-4;
    scene.settings.material.density = 0;
    scene.cloths.resize(3);
    scene.cloths[0].material = cloth::MaterialSettings{};  // a density instead of the scene's particle mass
    scene.cloths[1].material = scene.settings.material;    // its own, although equal to the scene's
    mechanics::Motion carried;
    carried.velocity = {0.1, 0, -1.0 / 3};
    carried.angularVelocity = {0, 0.7, 0};
    carried.center = {0, 0, 0};
    carried.stopTime = 2.5;
    carried.keyframes = {{0, {0, 0, 0}}, {1.0 / 3, {0.1, -0.0, 1e-300}}};
    scene.pins = {{.where = {.cloth = 2, .rowFrom = 0, .rowTo = -1, .columnFrom = 3, .columnTo = 3, .rowStep = 4}},
                  {.where = {.rowFrom = kMiddle, .rowTo = kMiddle, .columnFrom = 1, .columnTo = 1},
                   .hold = integrators::PinHold::line(Vec3(1, 2, 3))},
                  {.where = {.cloth = 1, .columnTo = 1},
                   .hold = integrators::PinHold::plane(Vec3(-0.3, 0.1, 0.7)),
                   .motion = carried,
                   .ownCenter = true}};
    scene.pointForces = {{{.cloth = 1, .columnTo = 2}, {0.1, -0.0, 1e-300}}};
    scene.colliders.resize(2);
    scene.colliders[0].name = "plate";
    scene.colliders[0].shape = geometry::Box{{0.1, 0.2, 1.0 / 3}};
    scene.colliders[0].orientation = Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
    scene.colliders[1].shape = geometry::Capsule{0.1, 0.7};
    scene.colliders[1].stopTime = 0.36;
    scene.colliders[1].keyframes = {{0.1, Vec3(0, 1.0 / 3, 0)}, {0.7, Vec3(1, 2, 3)}};
    scene.colliders[1].muS = 0.7;
    for (const bool all : {false, true})
        EXPECT_EQ(again(scene, all), [&] {
            Scene expected = scene;
            expected.name = again(scene, all).name;
            return expected;
        }()) << writeScene(scene, all);
}

TEST(Writer, NumbersComeBackToTheSameBits) {
    std::mt19937_64 random(5);
    Scene scene;
    scene.cloths.resize(1);
    for (int k = 0; k < 300; ++k) {
        std::uniform_real_distribution<double> mantissa(-1, 1), exponent(-12, 5.9);
        for (int c = 0; c < 3; ++c) scene.cloths[0].origin[c] = mantissa(random) * std::pow(10, exponent(random));
        const Vec3 read = again(scene, false).cloths.at(0).origin;
        ASSERT_EQ(read, scene.cloths[0].origin) << writeScene(scene);
    }
}

TEST(Writer, SettingsAloneAreReadable) {
    Settings settings;
    settings.integrator.dt = 0.1 / 3;
    settings.threads = 2;
    settings.material.density = 0;
    settings.material.particleMass = 9.5e-6;
    const auto scene = readSceneText(writeSettings(settings) + "[cloth]\n", "t.toml");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->settings, settings);
}

}  // namespace
}  // namespace clothlab::scene
