// The table [paper] of a scene says which of its values are the paper's.
#include <gtest/gtest.h>

#include <algorithm>

#include "scene/scene.hpp"

namespace clothlab::scene {
namespace {

const std::string kText = R"(title = "t"
[paper]
source = "Ye, table 2"
note = "A ball."
[paper.printed]
cloth.rows = [5, 9]
integrator.dt = 0.02
gravity = [0, -1, 0]
material.bend_model = "linear"
[paper.read_off]
material.stretch_stiffness = 60
[integrator]
dt = 0.02
[material]
stretch_stiffness = 600
bend_model = "linear"
shear_stiffness = 7
[cloth]
rows = 9
columns = 4
)";

const PaperRow& findRow(const std::vector<PaperRow>& rows, std::string_view key) {
    static const PaperRow kNone;
    const auto at = std::ranges::find(rows, key, &PaperRow::key);
    EXPECT_NE(at, rows.end()) << key;
    return at == rows.end() ? kNone : *at;
}

TEST(PaperValues, AreComparedWithThoseOfTheScene) {
    using enum PaperRow::From;
    auto scene = readSceneText(kText, "t.toml");
    ASSERT_TRUE(scene) << scene.error().text();
    auto rows = paperRows(*scene);
    EXPECT_EQ(findRow(rows, "cloth.rows").paper, "5, 9");
    EXPECT_TRUE(findRow(rows, "cloth.rows").same);
    EXPECT_TRUE(findRow(rows, "integrator.dt").same);
    EXPECT_TRUE(findRow(rows, "material.bend_model").same);
    EXPECT_EQ(findRow(rows, "gravity").here, "[0, -9.81, 0]");
    EXPECT_FALSE(findRow(rows, "gravity").same);
    EXPECT_EQ(findRow(rows, "material.stretch_stiffness").from, ReadOff);
    EXPECT_FALSE(findRow(rows, "material.stretch_stiffness").same);
    EXPECT_EQ(findRow(rows, "material.shear_stiffness").from, Ours);
    EXPECT_EQ(findRow(rows, "cloth.columns").from, Ours);
    EXPECT_EQ(std::ranges::find(rows, "cloth.side", &PaperRow::key), rows.end()) << "a default value has no row";
    EXPECT_EQ(paperSummary(scene->paper, rows),
              "Ye, table 2: 4 values printed there, 1 read off, 2 ours; 2 of the paper's not kept");

    // A value that --set changes is no longer marked as the paper's.
    ASSERT_TRUE(applyOverride(*scene, "integrator.dt=0.01"));
    ASSERT_TRUE(applyOverride(*scene, "material.stretch_stiffness=60"));
    rows = paperRows(*scene);
    EXPECT_FALSE(findRow(rows, "integrator.dt").same);
    EXPECT_EQ(findRow(rows, "integrator.dt").here, "0.01");
    EXPECT_TRUE(findRow(rows, "material.stretch_stiffness").same);
}

TEST(PaperValues, AreWrittenAsTheyWereRead) {
    const auto scene = readSceneText(kText, "t.toml");
    ASSERT_TRUE(scene);
    const auto again = readSceneText(writeScene(*scene), "t.toml");
    ASSERT_TRUE(again) << again.error().text() << writeScene(*scene);
    EXPECT_EQ(again->paper, scene->paper);
    EXPECT_EQ(*again, *scene);
}

/// A written scene can be read again, also if a set has an unusual name or the cloth no longer has rows.
TEST(PaperValues, AreWrittenSoThatTheyCanBeRead) {
    auto scene = readSceneText(
        "[cloth]\n[[set]]\nname = \"the \\\"rim\\\".a\"\nnear = [0, 0, 0]\n[[region]]\nset = \"the \\\"rim\\\".a\"\n"
        "bend_stiffness = 3\n[paper]\nsource = \"Ye\"\n[paper.printed]\n\"region.the \\\"rim\\\".a.bend_stiffness\" = 2\n"
        "cloth.rows = 41\n",
        "t.toml");
    ASSERT_TRUE(scene) << scene.error().text();
    auto again = readSceneText(writeScene(*scene), "t.toml");
    ASSERT_TRUE(again) << again.error().text() << writeScene(*scene);
    EXPECT_EQ(again->paper, scene->paper);
    ASSERT_EQ(scene->paper.values.size(), 2u);
    scene->cloths.front().solid.body = geometry::BodyKind::Frog;
    scene->regions.clear();
    scene->sets.clear();
    again = readSceneText(writeScene(*scene), "t.toml");
    ASSERT_TRUE(again) << again.error().text() << writeScene(*scene);
    EXPECT_EQ(again->paper.source, "Ye");
    EXPECT_TRUE(again->paper.values.empty());
}

/// Every scene named after a paper has its values, and its table is true. This test lists the values of the papers that
/// scenes do not keep.
TEST(PaperValues, OfTheBuiltInScenes) {
    const std::vector<std::string> kChanged{
        "ball-hit solver.stopping",
        "center-pin integrator.kind",
        "chen-constraints solver.mpcg_variant",
        "chen-constraints solver.stopping",
        "chen steps",
        "chen solver.mpcg_variant",
        "chen solver.stopping",
        "decomposed-sphere contact.self_collision",
        "decomposed-sphere contact.sticking",
        "decomposed-table contact.sticking",
        "drape-sphere solver.stopping",
        "drape-table contact.sticking",
        "drop contact.repulsion_distance",
        "drop contact.sticking",
        "pinned-four solver.stopping",
        "sideris-curtain material.particle_mass",
        "sideris-curtain material.shear_stiffness",
        "sideris-curtain material.bend_stiffness",
        "sideris-curtain material.shear_damping",
        "sideris-curtain material.bend_damping",
        "sideris-moving-collider material.particle_mass",
        "sideris-moving-collider material.shear_stiffness",
        "sideris-moving-collider material.bend_stiffness",
        "sideris-moving-collider material.shear_damping",
        "sideris-moving-collider material.bend_damping",
        "sideris-tangling material.particle_mass",
        "sideris-tangling material.shear_stiffness",
        "sideris-tangling material.bend_stiffness",
        "sideris-tangling material.shear_damping",
        "sideris-tangling material.bend_damping",
        "ye-clump cloth.rows",
        "ye-clump cloth.columns",
        "ye-clump material.stretch_stiffness",
        "ye-clump solver.tolerance",
        "ye-tshirt preconditioner.kind",
        "ye-tshirt solver.stopping",
        "ye-tshirt material.shear_stiffness",
    };
    std::vector<std::string> changed;
    int sources = 0;
    for (const std::string& name : builtInScenes(CLOTHLAB_SOURCE_DIR "/assets")) {
        const auto scene = findScene(name, CLOTHLAB_SOURCE_DIR "/assets");
        ASSERT_TRUE(scene) << scene.error().text();
        const bool named = name.starts_with("ye-") || name.starts_with("sideris-") || name.starts_with("chen") ||
                           name.starts_with("boxerman-") || (name.starts_with("liu-") && name != "liu-shell");
        if (named) {
            EXPECT_TRUE(scene->paper) << name;
        }
        sources += bool(scene->paper);
        for (const PaperRow& row : paperRows(*scene))
            if (!row.same) changed.push_back(name + " " + row.key);
    }
    EXPECT_GE(sources, 22);
    std::vector<std::string> wanted = kChanged;
    std::ranges::sort(wanted), std::ranges::sort(changed);
    EXPECT_EQ(changed, wanted);
}

}  // namespace
}  // namespace clothlab::scene
