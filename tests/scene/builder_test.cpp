#include <gtest/gtest.h>

#include "scene/builder.hpp"

namespace clothlab::scene {
namespace {

Scene sheet() {
    Scene scene;
    scene.cloths.resize(1);
    ClothPatch& cloth = scene.cloths[0];
    cloth.rows = 4;
    cloth.columns = 6;
    cloth.side = 1.0;
    cloth.origin = {1, 2, 3};
    cloth.columnAxis = {0, 0, 1};
    cloth.rowAxis = {0, -1, 0};
    return scene;
}

TEST(Builder, LaysOutRowsAndColumns) {
    const auto world = buildWorld(sheet());
    ASSERT_TRUE(world) << world.error().text();
    ASSERT_EQ(world->model->particles(), 24);
    EXPECT_EQ(world->start.x.size(), 24);
    EXPECT_LT((Vec3(world->start.x[2 * 6 + 5]) - Vec3(1, 2 - 0.4, 4)).norm(), 1e-15);
    EXPECT_DOUBLE_EQ(world->model->mass[0], 0.2 * 0.04);
    EXPECT_TRUE(world->start.pins.empty());
}

TEST(Builder, TheMiddleFollowsTheGrid) {
    Scene scene = sheet();
    scene.pins = {{.where = {.rowFrom = kMiddle, .rowTo = kMiddle, .columnFrom = kMiddle, .columnTo = kMiddle}}};
    for (const int size : {5, 41, 42}) {
        scene.cloths[0].rows = scene.cloths[0].columns = size;
        const auto world = buildWorld(scene);
        ASSERT_TRUE(world) << world.error().text();
        ASSERT_EQ(world->start.pins.size(), 1u);
        EXPECT_EQ(world->start.pins[0].particle, (size / 2) * size + size / 2);
    }
}

TEST(Builder, NoiseIsNormalSeededAndLeavesTheRestLengths) {
    Scene scene = sheet();
    scene.cloths[0].noise = 0.01;
    scene.pins = {{.where = {.rowFrom = 0, .rowTo = 0, .columnFrom = 0, .columnTo = 0}}};
    const auto world = buildWorld(scene), same = buildWorld(scene);
    scene.cloths[0].noiseSeed = 2;
    const auto other = buildWorld(scene);
    double largest = 0, difference = 0;
    for (Index i = 0; i < 24; ++i) {
        const Vec3 d = Vec3(world->start.x[i]) - Vec3(world->model->rest[i]);
        EXPECT_EQ(d[1], 0);
        EXPECT_EQ(d[2], 0);
        largest = std::max(largest, std::abs(d[0]));
        difference = std::max(difference, (Vec3(world->start.x[i]) - Vec3(other->start.x[i])).norm());
    }
    EXPECT_TRUE(world->start.x == same->start.x);
    EXPECT_GT(largest, 0.005);
    EXPECT_LE(largest, 0.01);
    EXPECT_GT(difference, 0.002);
    EXPECT_EQ(Vec3(world->start.x[0]), Vec3(world->model->rest[0]));  // pinned
    for (const cloth::Spring& s : world->model->springs)
        if (s.family == cloth::SpringFamily::Stretch) {
            EXPECT_NEAR(s.restLength, 0.2, 1e-15);
        }
}

TEST(Builder, GatheringFoldsWithoutStrain) {
    Scene scene = sheet();
    ClothPatch& cloth = scene.cloths[0];
    cloth.columns = 41;
    cloth.gather = 0.85;
    cloth.pleats = 3;
    scene.pins = {{.where = {.columnFrom = -1, .columnTo = -1}}};
    const auto world = buildWorld(scene);
    ASSERT_TRUE(world) << world.error().text();
    const auto& x = world->start.x;
    EXPECT_LT((Vec3(x[40]) - Vec3(x[0]) - 0.85 * cloth.columnAxis).norm(), 1e-9);  // both ends on one line
    EXPECT_EQ(world->start.pins.at(0).place, Vec3(x[40]));
    double depth = 0;
    for (Index i = 0; i < 41; ++i) depth = std::max(depth, std::abs(x[i][0] - cloth.origin[0]));
    EXPECT_GT(depth, 0.03);
    for (const cloth::Spring& s : world->model->springs) {
        const double length = (Vec3(x[s.j]) - Vec3(x[s.i])).norm();
        if (s.family == cloth::SpringFamily::Bend) {
            EXPECT_LE(length, s.restLength + 1e-12);
        } else
            EXPECT_NEAR(length, s.restLength, 1e-12);
    }
}

TEST(Builder, PinsForcesAndVelocityAcrossCloths) {
    Scene scene = sheet();
    scene.cloths.push_back(scene.cloths[0]);
    scene.cloths[1].velocity = {0, 0, 2};
    scene.pins = {{.where = {.cloth = 1, .rowFrom = 0, .rowTo = 0, .columnFrom = -1, .columnTo = -1}},
                  {.where = {.cloth = 0, .rowFrom = 0, .rowTo = 0, .columnFrom = 0, .columnTo = 0}},
                  {.where = {.cloth = 0, .rowFrom = 0, .rowTo = 0, .columnFrom = 0, .columnTo = 0}}};
    scene.pointForces = {{{.cloth = 1, .rowFrom = -1, .rowTo = -1, .columnFrom = 0, .columnTo = 1}, {0, 3, 0}}};
    const auto world = buildWorld(scene);
    ASSERT_TRUE(world) << world.error().text();
    ASSERT_EQ(world->start.pins.size(), 2u);
    EXPECT_EQ(world->start.pins[0].particle, 0);
    EXPECT_EQ(world->start.pins[1].particle, 24 + 5);
    EXPECT_EQ(world->start.pins[1].place, Vec3(world->model->rest[29]));
    ASSERT_EQ(world->pointForces.size(), 2u);
    EXPECT_EQ(world->pointForces[0].particle, 24 + 18);
    EXPECT_EQ(Vec3(world->start.v[29]), Vec3(0, 0, 0));
    EXPECT_EQ(Vec3(world->start.v[30]), Vec3(0, 0, 2));
    EXPECT_EQ(Vec3(world->start.v[3]), Vec3(0, 0, 0));
}

TEST(Builder, PinsOfEveryKind) {
    Scene scene = sheet();
    scene.cloths[0].velocity = {1, 2, 3};
    scene.cloths[0].noise = 0.01;
    using integrators::PinHold;
    mechanics::Motion turn;
    turn.angularVelocity = {0, 1, 0};
    scene.pins = {{.where = {.columnTo = 1}, .hold = PinHold::line(Vec3::UnitY())},
                  {.where = {.rowFrom = 1, .rowTo = 1, .columnTo = 0}, .hold = PinHold::plane(Vec3::UnitY())},
                  {.where = {.rowFrom = 2, .rowTo = 2, .columnTo = -1}, .motion = turn}};
    const auto world = buildWorld(scene);
    ASSERT_TRUE(world) << world.error().text();
    const integrators::SimulationState& s = world->start;
    const Index columns = scene.cloths[0].columns;
    ASSERT_EQ(Index(s.pins.size()), 3 + columns);
    EXPECT_EQ(s.pins[1].hold, PinHold::line(Vec3::UnitY()));
    EXPECT_EQ(Vec3(s.v[1]), Vec3(0, 2, 0));        // the line leaves this part
    EXPECT_EQ(Vec3(s.v[columns]), Vec3(1, 0, 3));  // the plane leaves this part
    EXPECT_EQ(Vec3(s.v[2 * columns]), Vec3(0, 0, 0));
    ASSERT_EQ(s.pinMotions.size(), 1u);
    // Without a given point, about the middle of its own particles.
    const Vec3 middle = 0.5 * (s.x[2 * columns] + s.x[3 * columns - 1]);
    EXPECT_LT((s.pinMotions[0].center - middle).norm(), 1e-12);
    scene.pins[2].ownCenter = true;
    EXPECT_EQ(buildWorld(scene)->start.pinMotions[0].center, Vec3(0, 0, 0));
    // Two pins on one particle contradict each other.
    scene.pins.push_back({.where = {.columnTo = 0}});
    EXPECT_NE(buildWorld(scene).error().message.find("number 1 and number 4"), std::string::npos);
}

TEST(Builder, RefusesWhatOverridesMadeImpossible) {
    Scene scene = sheet();
    scene.pins = {{.where = {.rowFrom = 3, .rowTo = 3}}};
    ASSERT_TRUE(applyOverride(scene, "cloth.rows=3"));
    EXPECT_NE(buildWorld(scene).error().message.find("row 3 lies outside"), std::string::npos);
    scene = sheet();
    ASSERT_TRUE(applyOverride(scene, "cloth.row_axis=0,0,1"));
    EXPECT_FALSE(buildWorld(scene));
    scene = sheet();
    ASSERT_TRUE(applyOverride(scene, "cloth.rows=4000") && applyOverride(scene, "cloth.columns=4000"));
    EXPECT_FALSE(buildWorld(scene));
    EXPECT_FALSE(buildWorld(Scene{}));
}

}  // namespace
}  // namespace clothlab::scene
