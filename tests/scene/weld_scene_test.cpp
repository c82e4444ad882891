#include <gtest/gtest.h>

#include <fstream>
#include <numeric>

#include "scene/builder.hpp"
#include "scratch_folder.hpp"

namespace clothlab::scene {
namespace {

/// Two panels side by side, squares of side 1: the points 1 and 4, 2 and 7 (from 0) coincide.
const std::string kPanels =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 1 1 0\nf 5 6 7 8\n";

struct WeldScene : ::testing::Test {
    tests::ScratchFolder folder;

    void SetUp() override { std::ofstream(folder.file("panels.obj")) << kPanels; }
    Expected<Scene> read(const std::string& keys, const std::string& more = "") const {
        return readSceneText("[cloth]\nmesh = \"panels.obj\"\n" + keys + more, folder.file("s.toml"));
    }
    World build(const std::string& keys, const std::string& more = "") const {
        const auto scene = read(keys, more);
        EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
        auto world = buildWorld(*scene);
        EXPECT_TRUE(world) << (world ? "" : world.error().text());
        return std::move(*world);
    }
};

TEST_F(WeldScene, PanelsBecomeOneCloth) {
    EXPECT_EQ(build("").model->particles(), 8);
    const World world = build("weld = 1e-4\n");
    const cloth::ClothModel& model = *world.model;
    EXPECT_EQ(model.particles(), 6);
    EXPECT_NEAR(std::accumulate(model.mass.begin(), model.mass.end(), 0.0), 0.2 * 2, 1e-12);
    const auto hinges = std::ranges::count_if(model.edges, &geometry::MeshEdge::isHinge);
    EXPECT_EQ(hinges, 3) << "one diagonal per panel, and the seam";
    std::vector<Index> numbers = model.outsideNumber;
    std::ranges::sort(numbers);
    EXPECT_EQ(numbers, (std::vector<Index>{0, 1, 2, 3, 4, 5})) << "the numbers of the file, without gaps";
}

// Lines of the file sew points that are not welded.
TEST_F(WeldScene, WhatIsWeldedIsNotSewn) {
    std::ofstream(folder.file("panels.obj")) << kPanels << "l 2 5\nl 3 8\nl 4 7\nl 1 5\n";
    const World apart = build("sew = true\nsew_time = 3\n"), welded = build("weld = 1e-4\nsew = true\n");
    ASSERT_EQ(apart.model->threads.size(), 4u);
    EXPECT_EQ(apart.model->threads[0].time, 3);
    ASSERT_EQ(welded.model->threads.size(), 1u) << "two lines join welded points, one is an edge";
    EXPECT_NEAR(welded.model->threads[0].length, 2, 1e-12);
    EXPECT_TRUE(build("").model->threads.empty());
    const auto none = read("scale = 1\nsew = true\nsew_time = 0\n");
    ASSERT_FALSE(none);
    EXPECT_NE(none.error().message.find("cloth.sew_time"), std::string::npos) << none.error().text();
}

// Sets still count the points of the file; both numbers of a welded point mean the same particle.
TEST_F(WeldScene, SetsNameThePointsOfTheFile) {
    const auto pinned = [&](const std::string& which) {
        const World world = build("weld = 1e-4\n", "[[set]]\nname = \"s\"\n" + which + "\n[[pins]]\nset = \"s\"\n");
        std::vector<std::array<double, 2>> places;
        for (const integrators::Pin& pin : world.start.pins) places.push_back({pin.place.x(), pin.place.y()});
        std::ranges::sort(places);
        return places;
    };
    using Places = std::vector<std::array<double, 2>>;
    EXPECT_EQ(pinned("particles = [1]"), (Places{{1, 0}}));
    EXPECT_EQ(pinned("particles = [4]"), (Places{{1, 0}}));
    EXPECT_EQ(pinned("particles = [4, 1, 6]"), (Places{{1, 0}, {2, 1}}));
    EXPECT_EQ(pinned("near = [1.9, 1, 0]"), (Places{{2, 1}}));
    EXPECT_EQ(pinned("box = [[0.9, -1, -1], [1.1, 2, 1]]"), (Places{{1, 0}, {1, 1}}));
    const auto beyond = read("weld = 1e-4\n", "[[set]]\nname = \"s\"\nparticles = [8]\n");
    ASSERT_FALSE(beyond);
    EXPECT_NE(beyond.error().message.find("the cloth has 8"), std::string::npos) << beyond.error().text();
}

TEST_F(WeldScene, MistakesPointAtTheKey) {
    const auto refuses = [&](const std::string& keys, int line, int column, const std::string& fragment) {
        const auto scene = read(keys);
        ASSERT_FALSE(scene) << keys;
        EXPECT_EQ(std::pair(scene.error().line, scene.error().column), std::pair(line, column)) << scene.error().text();
        EXPECT_NE(scene.error().message.find(fragment), std::string::npos) << scene.error().text();
    };
    refuses("weld = 1\nscale = 0.5\n", 3, 8, "panels.obj: the edge between the points 1 and 2 is 0.5 m long");
    refuses("weld = -1\n", 3, 8, "out of range");
    const auto grid = readSceneText("[cloth]\nweld = 0.001\n", folder.file("s.toml"));
    ASSERT_FALSE(grid);
    EXPECT_NE(grid.error().message.find("only a mesh has this"), std::string::npos) << grid.error().text();
}

TEST_F(WeldScene, IsWrittenReadBackAndChangedByHand) {
    auto scene = read("weld = 0.0001\nscale = 0.25\n");
    ASSERT_TRUE(scene);
    const auto again = readSceneText(writeScene(*scene), folder.file("s.toml"));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, *scene);
    EXPECT_EQ(particleCount(scene->cloths[0]), 6);
    ASSERT_TRUE(applyOverride(*scene, "cloth.weld=0"));
    EXPECT_EQ(buildWorld(*scene)->model->particles(), 8);
    ASSERT_TRUE(applyOverride(*scene, "cloth.weld=0.2"));
    EXPECT_EQ(buildWorld(*scene)->model->particles(), 6) << "a quarter of a metre is the shortest edge";
    ASSERT_TRUE(applyOverride(*scene, "cloth.scale=0.1"));
    const auto collapsed = buildWorld(*scene);
    ASSERT_FALSE(collapsed);
    EXPECT_NE(collapsed.error().message.find("cloth.weld: panels.obj: the edge between"), std::string::npos);
}

}  // namespace
}  // namespace clothlab::scene
