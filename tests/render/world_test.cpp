#include "render/ground.hpp"
#include "render/picture_fixture.hpp"

/// A floor is drawn only where the scene has one, and things far outside of the scene are left out.
namespace clothlab::app::render {
namespace {

using worker::Snapshot;

TEST_F(Picture, TheGroundIsDrawnWhereThereIsOne) {
    view_.camera.elevation = 30;
    const glm::ivec2 below{kWidth / 2, kHeight - 10};
    const Snapshot bare = fakeSheet();
    EXPECT_FALSE(floorHeight(bare));
    Snapshot floored = bare, wall = bare;
    addCollider(floored, geometry::Plane{}, Vec3(0, -0.8, 0));
    addCollider(wall, geometry::Plane{}, Vec3(0, 0, -1));
    wall.colliderPoses.back().orientation = Eigen::Quaterniond(Eigen::AngleAxisd(1.5707963, Vec3::UnitX()));
    EXPECT_NEAR(floorHeight(floored).value_or(0), -0.8, 0.01);
    EXPECT_FALSE(floorHeight(wall)) << "an upright plane is no floor";
    const Image without = draw(bare), with = draw(floored);
    view_.showColliders = false;
    const Image hidden = draw(floored);
    EXPECT_GT(std::abs(brightness(with, below) - brightness(without, below)), 20);
    EXPECT_NEAR(brightness(hidden, below), brightness(without, below), 2);
}

TEST_F(Picture, WhatFallsOutOfTheWorldIsNeitherDrawnNorFitted) {
    Snapshot scene = fakeSheet();
    addCollider(scene, geometry::Sphere{0.2}, Vec3(0, 0, 0.5));
    const Image before = draw(scene);
    const Sphere3 world = renderer_->world(scene), near = boundsNow(scene, world);
    EXPECT_LT(world.radius, 40);
    scene.colliderPoses[0].position = {0, -40, 0};
    EXPECT_FALSE(isWithin(world, {0, -40, 0}, 0.2f));
    EXPECT_LE(boundsNow(scene, world).radius, near.radius) << "the ball does not enlarge the bounds";
    const Image gone = draw(scene);
    EXPECT_GT(different(before, gone), 100) << "the ball is gone";
    // The upper row of squares is cut off and far behind the rest, but large enough to be visible.
    constexpr std::size_t kRow = 21;
    Snapshot torn = scene;
    auto mesh = std::make_shared<worker::MeshTopology>(*scene.mesh);
    std::erase_if(mesh->triangles, [&](const geometry::Triangle& t) {
        return std::ranges::any_of(t, [&](Index i) { return i / Index(kRow) == 1; }) &&
               std::ranges::any_of(t, [&](Index i) { return i / Index(kRow) == 2; });
    });
    torn.mesh = mesh;
    for (std::size_t i = 0; i < 3 * 2 * kRow; i += 3) {
        torn.positions[i] *= 100;
        torn.positions[i + 1] = i < 3 * kRow ? 30.0f : -30.0f;
        torn.positions[i + 2] = -60;
    }
    EXPECT_EQ(shownPositions(torn, renderer_->world(torn)).size(), scene.positions.size() - 3 * 2 * kRow);
    EXPECT_NEAR(brightness(draw(torn), {3, 3}), brightness(gone, {3, 3}), 3);
}

TEST_F(Picture, AClothThatFallsAsAWholeIsDrawnAllTheWay) {
    Snapshot scene = fakeSheet();
    draw(scene);
    for (std::size_t i = 1; i < scene.positions.size(); i += 3) scene.positions[i] -= 100;
    EXPECT_EQ(shownPositions(scene, renderer_->world(scene)).size(), scene.positions.size());
    view_.camera.target = {0, -100, 0};
    const Image there = draw(scene);
    const glm::ivec2 middle = pixel({0.06f, -99.94f, 0});
    EXPECT_TRUE(blue(there.at(middle.x, middle.y)));
}

}  // namespace
}  // namespace clothlab::app::render
