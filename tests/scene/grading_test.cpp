#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "scene/builder.hpp"

namespace clothlab::scene {
namespace {

World gradedWorld(const std::string& keys) {
    const auto scene = readSceneText("[cloth]\nrows = 5\ncolumns = 9\nside = 1.6\n" + keys, "t.toml");
    EXPECT_TRUE(scene) << (scene ? "" : scene.error().text());
    auto world = buildWorld(*scene);
    EXPECT_TRUE(world) << (world ? "" : world.error().text());
    return std::move(*world);
}

double gap(const World& world, Index column) {
    return world.model->rest[column + 1].x() - world.model->rest[column].x();
}

TEST(Grading, ColumnsNarrowInEqualRatios) {
    const World world = gradedWorld("grading = 0.2\n");
    const cloth::ClothModel& model = *world.model;
    EXPECT_NEAR(model.rest[8].x(), 1.6, 1e-14);
    EXPECT_NEAR(gap(world, 7) / gap(world, 0), 0.2, 1e-13);
    for (Index c = 0; c < 7; ++c) EXPECT_NEAR(gap(world, c + 1) / gap(world, c), std::pow(0.2, 1.0 / 7), 1e-13);
    EXPECT_NEAR(model.rest[9].y(), -0.2, 1e-15) << "rows stay even";
    EXPECT_NEAR(model.patches[0].spacing, gap(world, 7), 1e-15);
    EXPECT_NEAR(model.textures[8][0], 1.6, 1e-14);
}

// The mass of a particle is the density times its area: for an inner one, half of the columns beside it times the row
// height.
TEST(Grading, MassesAreDensityTimesArea) {
    const World world = gradedWorld("grading = 5\n");
    const cloth::ClothModel& model = *world.model;
    EXPECT_NEAR(std::accumulate(model.mass.begin(), model.mass.end(), 0.0), 0.2 * 1.6 * 0.8, 1e-13);
    for (Index c = 1; c < 8; ++c)
        EXPECT_NEAR(model.mass[18 + c], 0.2 * 0.2 * (gap(world, c - 1) + gap(world, c)) / 2, 1e-14) << c;
    EXPECT_NEAR(model.mass[0], 0.2 * 0.1 * gap(world, 0) / 2, 1e-14) << "a corner";
}

TEST(Grading, OfOneIsTheEvenGridToTheBit) {
    const World even = gradedWorld(""), graded = gradedWorld("grading = 1\n"),
                pleated = gradedWorld("gather = 0.8\npleats = 2\n");
    EXPECT_TRUE(even.start.x == graded.start.x);
    EXPECT_EQ(even.model->mass, graded.model->mass);
    EXPECT_EQ(even.model->patches[0].massRule, cloth::MassRule::Cell);
    EXPECT_FALSE(pleated.start.x == even.start.x);
}

TEST(Grading, PleatsStrainNothing) {
    const World world = gradedWorld("grading = 0.3\ngather = 0.7\npleats = 2\n");
    const linalg::BlockVector& x = world.start.x;
    EXPECT_NEAR((x[8] - x[0]).norm(), 0.7 * 1.6, 0.02 * 1.6);
    for (const cloth::Spring& s : world.model->springs)
        if (s.family == cloth::SpringFamily::Stretch) {
            EXPECT_NEAR((x[s.j] - x[s.i]).norm(), s.restLength, 1e-12);
        }
}

TEST(Grading, AKnotHasNone) {
    const auto scene = readSceneText("[cloth]\nrows = 2\ncolumns = 60\nlayout = \"knot\"\ngrading = 2\n", "t.toml");
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().line, 5);
    EXPECT_NE(scene.error().message.find("a knot has even columns"), std::string::npos) << scene.error().text();
}

}  // namespace
}  // namespace clothlab::scene
