#include <gtest/gtest.h>

#include "scene/scene.hpp"
#include "scene/scene_files.hpp"

namespace clothlab::scene {
namespace {

TEST(Reader, EachMalformedFileSaysWhereAndWhat) {
    const auto files = tests::malformedFiles();
    ASSERT_GE(files.size(), 20u);
    for (const auto& file : files) {
        const auto scene = readScene(file.path);
        ASSERT_FALSE(scene) << file.path;
        const Error& e = scene.error();
        EXPECT_EQ(std::to_string(e.line) + ":" + std::to_string(e.column), file.place) << e.text();
        EXPECT_NE(e.message.find(file.fragment), std::string::npos) << e.text() << "\nexpected: " << file.fragment;
        EXPECT_EQ(e.file, file.path);
    }
}

TEST(Reader, PassesOverKeysOfEarlierVersionsWithANote) {
    auto scene =
        readSceneText("[cloth]\n[fast_mass_spring]\niterations = 7\nfactor_change = \"row-update\"\n", "old.toml");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->settings.integrator.fastMassSpring.iterations, 7);
    const std::string note =
        "fast_mass_spring.factor_change is not a setting any more: a factor takes pins and drags in by extra columns "
        "(bordered)";
    EXPECT_EQ(readingNotes(*scene), std::vector<std::string>{"old.toml:4: " + note});
    EXPECT_EQ(writeScene(*scene).find("factor_change"), std::string::npos);
    scene->notes.clear();
    ASSERT_TRUE(applyOverride(*scene, "fast_mass_spring.factor_change=bordered"));
    EXPECT_EQ(readingNotes(*scene), std::vector<std::string>{note});
}

TEST(Reader, FilesThatAreNotThere) {
    EXPECT_EQ(readScene("nowhere.toml").error().file, "nowhere.toml");
    EXPECT_FALSE(readScene(CLOTHLAB_SOURCE_DIR));
    const auto unknown = findScene("hnag", CLOTHLAB_SOURCE_DIR "/assets");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().choices.front(), "hang");
}

TEST(Reader, SaysWhyAFileCannotBeRead) {
    EXPECT_NE(readScene("/dev/zero").error().message.find("this is a device"), std::string::npos);
    EXPECT_NE(readScene(CLOTHLAB_SOURCE_DIR).error().message.find("this is a folder"), std::string::npos);
    EXPECT_NE(readScene("nowhere.toml").error().message.find("No such file"), std::string::npos);
    EXPECT_NE(readScene("/proc/self/mem").error().message.find("Input/output error"), std::string::npos);
}

/// Without a limit, each of these overflows the stack in the TOML library or in the destructor of its tree.
TEST(Reader, NestingHasALimitInAnyMixture) {
    const auto times = [](int n, const std::string& text) {
        std::string out;
        for (int i = 0; i < n; ++i) out += text;
        return out;
    };
    for (const std::string& text :
         {times(20'000, "a.") + "a = 1", "[" + times(20'000, "a.") + "a]", "[[" + times(20'000, "a.") + "a]]",
          times(20'000, "\"a\" . ") + "a = 1", "a = " + times(255, "[") + times(255, "]"),
          "a = " + times(250, "{" + times(100, "b.") + "b = ") + "1" + times(250, "}"),
          "a = {" + times(20'000, "'b'.") + "b = 1}", "t = \"\"\"a\"\"\"\"\n" + times(20'000, "a.") + "a = 1"}) {
        const auto scene = readSceneText(text, "t.toml");
        ASSERT_FALSE(scene);
        EXPECT_GT(scene.error().line, 0);
        EXPECT_NE(scene.error().message.find("than 16"), std::string::npos) << scene.error().text();
    }
    EXPECT_EQ(readSceneText(times(15, "a.") + "a = 1", "t.toml").error().message.find("unknown key 'a'"), 0u);
}

TEST(Reader, CharactersBeyondAsciiStandInQuotesAndComments) {
    const std::string text = "\xef\xbb\xbftitle = \"größe \\\" é\"  # ü\r\nwatch = '''\nél''è'''\n[cloth]\n";
    const auto scene = readSceneText(text, "t.toml");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->title, "größe \" é");
    EXPECT_EQ(scene->watch, "él''è");
    for (const char* bare :
         {"é = 1\n", "title = é\n", "title = \"\" é\n", "[é]\n", "title = 'a' é\n", "title = \"\"\"a\"\"\" é\n"}) {
        const auto refused = readSceneText(bare, "t.toml");
        ASSERT_FALSE(refused) << bare;
        EXPECT_NE(refused.error().message.find("'é' stands outside"), std::string::npos) << refused.error().text();
    }
}

TEST(Reader, OneKindOfMassReplacesTheOther) {
    const auto scene = readSceneText(
        "[material]\nparticle_mass = 2e-4\n[[cloth]]\n[cloth.material]\ndensity = 0.1\n[[cloth]]\n", "t.toml");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->settings.material.density, 0);
    EXPECT_EQ(scene->settings.material.particleMass, 2e-4);
    ASSERT_EQ(scene->cloths.size(), 2u);
    EXPECT_EQ(scene->cloths[0].material->density, 0.1);
    EXPECT_EQ(scene->cloths[0].material->particleMass, 0);
    EXPECT_FALSE(scene->cloths[1].material);
}

TEST(Reader, OwnMaterialStartsFromTheScenes) {
    const auto scene = readSceneText(
        "[cloth]\n[cloth.material]\nshear_stiffness = 7\n[material]\nstretch_stiffness = 500\n", "t.toml");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->cloths[0].material->stretchStiffness, 500);
    EXPECT_EQ(scene->cloths[0].material->shearStiffness, 7);
}

TEST(Reader, TurnsOfAColliderAgree) {
    const std::string start = "[cloth]\n[[collider]]\nshape = \"capsule\"\n";
    const auto axis = readSceneText(start + "axis = [3, 0, 0]\n", "t.toml");
    const auto rotation = readSceneText(start + "rotation = [0, 0, -90]\n", "t.toml");
    ASSERT_TRUE(axis && rotation);
    const Vec3 x = axis->colliders[0].orientation * Vec3::UnitY();
    EXPECT_LT((x - Vec3::UnitX()).norm(), 1e-15);
    EXPECT_LT(axis->colliders[0].orientation.angularDistance(rotation->colliders[0].orientation), 1e-7);
    EXPECT_EQ(axis->colliders[0].name, "collider 1");
}

TEST(Reader, IntegersAndWordsWhereTheyAreMeant) {
    const auto scene =
        readSceneText("threads = \"auto\"\n[integrator]\nsubsteps = \"auto\"\n[cloth]\nside = 2\n", "t.toml");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->cloths[0].side, 2.0);
    EXPECT_EQ(scene->settings.threads, 0);
}

TEST(Reader, ASceneMayBeginWithAnOverlay) {
    const auto scene = readSceneText("overlay = \"springs\"\n[cloth]\n", "t.toml");
    ASSERT_TRUE(scene) << scene.error().text();
    EXPECT_EQ(scene->overlay, OverlayKind::SpringState);
    const auto again = readSceneText(writeScene(*scene, false), "t.toml");
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(again->overlay, OverlayKind::SpringState);
    const auto unknown = readSceneText("overlay = \"sprigns\"\n[cloth]\n", "t.toml");
    ASSERT_FALSE(unknown);
    EXPECT_EQ(unknown.error().line, 1);
    EXPECT_NE(std::ranges::find(unknown.error().choices, "springs"), unknown.error().choices.end())
        << unknown.error().text();
}

TEST(Range, CountsFromBothEndsInSteps) {
    ClothPatch cloth;
    cloth.rows = 3;
    cloth.columns = 5;
    EXPECT_EQ(*resolve({.rowFrom = 0, .rowTo = -1, .columnFrom = -1, .columnTo = -1}, cloth),
              (std::vector<Index>{4, 9, 14}));
    EXPECT_EQ(*resolve({.rowFrom = 1, .rowTo = 1, .columnFrom = 0, .columnTo = 4, .columnStep = 2}, cloth),
              (std::vector<Index>{5, 7, 9}));
    EXPECT_FALSE(resolve({.rowFrom = 3, .rowTo = 3}, cloth));
    EXPECT_FALSE(resolve({.rowFrom = -4, .rowTo = 0}, cloth));
    EXPECT_FALSE(resolve({.rowFrom = 2, .rowTo = 1}, cloth));
}

}  // namespace
}  // namespace clothlab::scene
