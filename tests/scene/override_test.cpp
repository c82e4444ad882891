#include <gtest/gtest.h>

#include <sstream>

#include "scene/scene.hpp"
#include "solvers/kind.hpp"

namespace clothlab::scene {
namespace {

Scene twoCloths() {
    Scene scene;
    scene.cloths.resize(2);
    scene.cloths[1].material = cloth::MaterialSettings{};
    return scene;
}

TEST(Override, ReachesEveryCloth) {
    Scene scene = twoCloths();
    ASSERT_TRUE(applyOverride(scene, "cloth.rows=7"));
    ASSERT_TRUE(applyOverride(scene, "material.stretch_stiffness=321"));
    ASSERT_TRUE(applyOverride(scene, "gravity=0,-1.5,0"));
    ASSERT_TRUE(applyOverride(scene, "solver.kind=cholesky"));
    ASSERT_TRUE(applyOverride(scene, "steps=12"));
    EXPECT_EQ(scene.cloths[0].rows, 7);
    EXPECT_EQ(scene.cloths[1].rows, 7);
    EXPECT_EQ(scene.settings.material.stretchStiffness, 321);
    EXPECT_EQ(scene.cloths[1].material->stretchStiffness, 321);
    EXPECT_EQ(scene.settings.gravity, Vec3(0, -1.5, 0));
    EXPECT_EQ(scene.settings.solver.kind, solvers::SolverKind::Cholesky);
    EXPECT_EQ(scene.steps, 12);
}

TEST(Override, MessagesRepeatLittleOfWhatIsLongAndNothingThatATerminalObeys) {
    Scene scene = twoCloths();
    const std::string megabyte(1'000'000, 'k');
    for (const std::string& text : {megabyte + "=1", "solver.kind=" + megabyte, "gravity=" + megabyte,
                                    "collider." + megabyte + "=1", megabyte, std::string("solver.kind=\x1b[2J\xff\n"),
                                    std::string("\x1b]0;\x07=1"), std::string("integrator.dt=0.01\0", 19)}) {
        const auto done = applyOverride(scene, text);
        ASSERT_FALSE(done) << text.substr(0, 100);
        EXPECT_LT(done.error().message.size(), 400u);
        for (const char c : done.error().text()) EXPECT_GE(static_cast<unsigned char>(c), 0x20u) << done.error().text();
    }
    EXPECT_EQ(applyOverride(scene, "solver.kindd=x", "--with").error().message,
              "--with solver.kindd=x: unknown key 'solver.kindd'; did you mean 'solver.kind'?");
    EXPECT_EQ(scene, twoCloths());
}

TEST(Override, OneKindOfMassReplacesTheOther) {
    Scene scene = twoCloths();
    ASSERT_TRUE(applyOverride(scene, "material.particle_mass=1e-4"));
    EXPECT_EQ(scene.settings.material.density, 0);
    EXPECT_EQ(scene.cloths[1].material->density, 0);
    EXPECT_DOUBLE_EQ(impliedDensity(scene.settings.material, 0.025 * 0.025), 0.16);
    ASSERT_TRUE(applyOverride(scene, "material.density=0.3"));
    EXPECT_EQ(scene.settings.material.particleMass, 0);
    EXPECT_EQ(impliedDensity(scene.settings.material, 0.025 * 0.025), 0.3);
}

TEST(Override, RefusesAndLeavesTheSceneAsItWas) {
    const Scene before = twoCloths();
    for (const char* text :
         {"integrator.dt", "=1", "integrator.dtt=1", "integrator.dt=-1", "integrator.dt=nan", "cloth.rows=1",
          "solver.kind=gauss", "gravity=1,2", "material.density=0", "material.density=-0", "collider.radius=1",
          "pins=0", "nonsense=1", "cloth.material.density=1", "solver.warm_start=yes"}) {
        Scene scene = before;
        const auto done = applyOverride(scene, text);
        ASSERT_FALSE(done) << text;
        EXPECT_NE(done.error().message.find(text), std::string::npos) << done.error().message;
        EXPECT_EQ(scene, before) << text;
    }
    Scene scene = before;
    EXPECT_NE(applyOverride(scene, "integrator.dtt=1").error().message.find("did you mean 'integrator.dt'"),
              std::string::npos);
    EXPECT_NE(applyOverride(scene, "collider.radius=1").error().message.find("[[collider]]"), std::string::npos);
}

/// "key  label  default VALUE  valid  help" -> key and value
TEST(Override, EveryKeyOfTheHelpTakesItsDefault) {
    Scene before = twoCloths();
    before.cloths.resize(4);
    before.cloths[2].mesh = {"/m.obj", 0, false, std::make_shared<geometry::FileMesh>()};  // some keys need a mesh
    before.cloths[3].solid.body = geometry::BodyKind::Hippo;                               // and some a solid
    std::istringstream help(settingsHelp());
    int keys = 0;
    for (std::string line; std::getline(help, line); ++keys) {
        const std::string key = line.substr(0, line.find("  "));
        const std::size_t from = line.find("default ") + 8;
        std::string value = line.substr(from, line.find("  ", from) - from);
        if (key == "material.particle_mass") value = "1e-4";  // 0 stands for "not given"
        Scene scene = before;
        const auto done = applyOverride(scene, key + "=" + value);
        EXPECT_TRUE(done) << line << "\n" << done.error().text();
        if (key == "material.particle_mass" || key == "cloth.solid") continue;
        EXPECT_EQ(scene, before) << line;
    }
    EXPECT_GT(keys, 40);
}

}  // namespace
}  // namespace clothlab::scene
