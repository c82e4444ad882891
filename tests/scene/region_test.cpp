#include "scene/regions.hpp"

#include <gtest/gtest.h>

#include "scene/builder.hpp"

namespace clothlab::scene {
namespace {

Scene read(const std::string& text) {
    auto scene = readSceneText(text, "t.toml");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    return scene ? *scene : Scene{};
}

const std::string kTwo =
    "[cloth]\nrows = 6\ncolumns = 6\n"
    "[[set]]\nname = \"cuff\"\nparticles = [0, 1, 2, 6, 7, 8]\n"
    "[[region]]\nset = \"cuff\"\nstretch_stiffness = 5000\ndensity = 0.8\n"
    "[[region]]\nrows = [1, -1]\ncolumns = \"all\"\ndensity = 0.4\nbend_model = \"linear\"\n";

TEST(Region, LiesOverTheClothAndALaterOneOverIt) {
    const Scene scene = read(kTwo);
    ASSERT_EQ(scene.regions.size(), 2u);
    EXPECT_EQ(scene.regions[0].given, (std::vector<std::string>{"stretch_stiffness", "density"}));
    const auto world = buildWorld(scene);
    ASSERT_TRUE(world);
    const auto list = makeMaterials(world->materials, scene);
    const auto of = [&](Index i) -> const cloth::MaterialSettings& { return list[world->model->material[i]]; };
    const double cell = 0.04;
    struct Expected {
        Index particle;
        double stretch, density;
        cloth::BendModel bend;
    };
    for (const auto& [i, stretch, density, bend] :
         {Expected{3, 1000, 0.2, cloth::BendModel::ChoiKoPolynomial},
          Expected{1, 5000, 0.8, cloth::BendModel::ChoiKoPolynomial}, Expected{7, 5000, 0.4, cloth::BendModel::Linear},
          Expected{35, 1000, 0.4, cloth::BendModel::Linear}}) {
        EXPECT_EQ(of(i).stretchStiffness, stretch) << i;
        EXPECT_EQ(of(i).bendModel, bend) << i;
        EXPECT_DOUBLE_EQ(world->model->mass[i], density * cell) << i;
    }
}

TEST(Region, FollowsItsClothWhereItSaysNothingElse) {
    Scene scene = read(kTwo + "[material]\nshear_stiffness = 3\n");
    const auto world = buildWorld(scene);
    ASSERT_TRUE(world);
    scene.settings.material.stretchStiffness = 77;
    scene.settings.material.shearStiffness = 88;
    const auto list = makeMaterials(world->materials, scene);
    const auto& cuff = list[world->model->material[0]];
    EXPECT_EQ(cuff.stretchStiffness, 5000);
    EXPECT_EQ(cuff.shearStiffness, 88);
    scene.cloths[0].material = cloth::MaterialSettings{.stretchStiffness = 1, .shearStiffness = 2};
    EXPECT_EQ(makeMaterials(world->materials, scene)[world->model->material[0]].shearStiffness, 2);
}

TEST(Region, SaysItsMassInOneWay) {
    const auto build = [](const std::string& text) { return std::move(*buildWorld(read(text))); };
    const std::string part = "[cloth]\nrows = 3\ncolumns = 3\n[[region]]\nrow = 0\ncolumns = \"all\"\n";
    EXPECT_EQ(build(part + "particle_mass = 0.25\n").model->mass[0], 0.25);
    const World heavy = build("[material]\nparticle_mass = 0.5\n" + part + "density = 2\n");
    EXPECT_DOUBLE_EQ(heavy.model->mass[0], 0.5 * 0.5 * 2);
    EXPECT_EQ(heavy.model->mass[8], 0.5);
    Scene scene = read(kTwo);
    ASSERT_TRUE(applyOverride(scene, "region.cuff.particle_mass=0.125"));
    EXPECT_EQ(scene.regions[0].given, (std::vector<std::string>{"stretch_stiffness", "particle_mass"}));
    EXPECT_EQ(buildWorld(scene)->model->mass[0], 0.125);
    ASSERT_TRUE(applyOverride(scene, "region.cuff.density=3"));
    EXPECT_EQ(scene.regions[0].given, (std::vector<std::string>{"stretch_stiffness", "density"}));
}

TEST(Region, IsWrittenAndReadBackTheSame) {
    Scene scene = read(kTwo +
                       "[[region]]\nrow = \"middle\"\ncolumns = [0, -1]\ncolumn_step = 2\njac_slack = true\n"
                       "tear_strain = 0.1\n");
    ASSERT_TRUE(applyOverride(scene, "region.3.stretch_damping=0.30000000000000004"));
    for (const bool all : {false, true}) {
        const auto again = readSceneText(writeScene(scene, all), "t.toml");
        ASSERT_TRUE(again) << again.error().text();
        EXPECT_EQ(*again, scene) << writeScene(scene, all);
    }
    EXPECT_EQ(scene.regions[2].values.stretchDamping, 0.30000000000000004);
}

TEST(Region, SetReachesItByTheNameOfItsSetOrByItsNumber) {
    Scene scene = read(kTwo);
    ASSERT_TRUE(applyOverride(scene, "region.cuff.stretch_stiffness=123"));
    ASSERT_TRUE(applyOverride(scene, "region.cuff.bend_stiffness=4"));
    ASSERT_TRUE(applyOverride(scene, "region.2.bend_model=choi-ko-exact"));
    ASSERT_TRUE(applyOverride(scene, "material.density=0.1")) << "a region keeps its own value";
    EXPECT_EQ(scene.regions[0].values.stretchStiffness, 123);
    EXPECT_EQ(scene.regions[0].given, (std::vector<std::string>{"stretch_stiffness", "bend_stiffness", "density"}));
    EXPECT_EQ(scene.regions[1].values.bendModel, cloth::BendModel::ChoiKoExact);
    EXPECT_EQ(scene.regions[0].values.density, 0.8);
    const Scene before = scene;
    const auto refusal = [&](const char* text) {
        const auto done = applyOverride(scene, text);
        EXPECT_FALSE(done) << text;
        EXPECT_EQ(scene, before) << text;
        return done ? std::string() : done.error().text();
    };
    EXPECT_NE(refusal("region.sleeve.density=1").find("region.cuff.KEY"), std::string::npos);
    EXPECT_NE(refusal("region.cuff.membrane=triangles").find("unknown key"), std::string::npos);
    EXPECT_NE(refusal("region.cuff.density=0").find("larger than 0"), std::string::npos);
    EXPECT_NE(refusal("region.cuff.stretch_stiffness=-1").find("out of range"), std::string::npos);
    EXPECT_NE(refusal("region.density=1").find("no region for"), std::string::npos);
    Scene none = read("[cloth]\n");
    EXPECT_NE(applyOverride(none, "region.cuff.density=1").error().text().find("no [[region]]"), std::string::npos);
    EXPECT_EQ(overrideField(scene, "region.cuff.stretch_stiffness")->meta.unit, "N/m");
}

TEST(Region, OfASetThatIsGoneIsAnError) {
    Scene scene = read(kTwo);
    scene.sets.clear();
    const auto world = buildWorld(scene);
    ASSERT_FALSE(world);
    EXPECT_NE(world.error().message.find("region: there is no set 'cuff'"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::scene
