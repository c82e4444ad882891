#include "window/reframing.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace clothlab::app::window {

using render::Camera;
using render::Viewport;

namespace {

// Slow motion leaves half of the picture, which shows the whole cloth; afterwards the user's view comes back.
TEST(Reframing, ShowsTheClothWhileAPanelTakesRoomAndGoesBack) {
    using enum model::Panel;
    const std::vector<float> cloth{-0.9f, 0, 0, 0.9f, 0, 0, 0, 0.4f, 0.3f};
    const Viewport whole{0, 0, 718, 640}, half{0, 0, 359, 440};
    Camera camera, before = camera;
    Reframing reframing;
    reframing.update(None, cloth, whole, {}, camera);
    EXPECT_EQ(camera, before);
    reframing.update(SlowMotion, cloth, half, {}, camera);
    EXPECT_GT(camera.distance, before.distance);
    for (const float x : {-0.9f, 0.9f}) EXPECT_TRUE(half.contains(*camera.toPixel({x, 0, 0}, half)));
    reframing.update(SlowMotion, {}, half, {}, camera);
    reframing.update(None, cloth, whole, {}, camera);
    EXPECT_EQ(camera, before);
    reframing.update(Matrix, cloth, half, {}, camera);
    camera.orbit({30, 0}, half);  // turned by the user, which stays
    const Camera turned = camera;
    reframing.update(None, cloth, whole, {}, camera);
    EXPECT_EQ(camera, turned);
}

}  // namespace
}  // namespace clothlab::app::window
