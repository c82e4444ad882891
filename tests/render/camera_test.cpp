#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "render/camera.hpp"
#include "render/scene_fit.hpp"

namespace clothlab::app::render {
namespace {

const Viewport kWide{40, 30, 800, 500}, kTall{0, 0, 300, 700};

TEST(Camera, PointToPixelToRayComesBack) {
    Camera camera;
    camera.target = {0.2f, -0.4f, 0.1f};
    for (const Viewport& viewport : {kWide, kTall})
        for (const float azimuth : {-170.0f, -30.0f, 0.0f, 95.0f})
            for (const float elevation : {-60.0f, 0.0f, 35.0f}) {
                camera.azimuth = azimuth;
                camera.elevation = elevation;
                const glm::vec3 point(0.5f, -0.1f, 0.3f);
                const auto pixel = camera.toPixel(point, viewport);
                ASSERT_TRUE(pixel);
                const Ray ray = camera.rayThrough(*pixel, viewport);
                const glm::vec3 nearest = ray.at(glm::dot(point - ray.origin, ray.direction));
                EXPECT_LT(glm::distance(nearest, point), 1e-4f);
            }
}

TEST(Camera, PixelsAgreeWithTheMatrixThatTheShadersGet) {
    Camera camera;
    camera.azimuth = 50;
    const glm::vec3 point(0.3f, 0.2f, -0.4f);
    for (const Viewport& viewport : {kWide, kTall}) {
        const glm::vec4 clip = camera.viewProjection(viewport) * glm::vec4(point, 1);
        const auto pixel = camera.toPixel(point, viewport);
        ASSERT_TRUE(pixel);
        EXPECT_NEAR(pixel->x, float(viewport.x) + (clip.x / clip.w + 1) * 0.5f * float(viewport.width), 0.02f);
        EXPECT_NEAR(pixel->y, float(viewport.y) + (1 - clip.y / clip.w) * 0.5f * float(viewport.height), 0.02f);
    }
}

TEST(Camera, AzimuthZeroIsTheSideOfPositiveZ) {
    Camera camera;
    camera.azimuth = camera.elevation = 0;
    camera.distance = 3;
    EXPECT_LT(glm::distance(camera.eye(), glm::vec3(0, 0, 3)), 1e-5f);
    camera.azimuth = 90;
    EXPECT_LT(glm::distance(camera.eye(), glm::vec3(3, 0, 0)), 1e-5f);
    const auto above = camera.toPixel({0, 0.2f, 0}, kWide);
    ASSERT_TRUE(above);
    EXPECT_LT(above->y, 280.0f) << "a higher point has a smaller y";
}

TEST(Camera, NothingBehindTheEyeHasAPixel) {
    const Camera camera;
    EXPECT_FALSE(camera.toPixel(camera.eye() - camera.forward(), kWide));
}

TEST(Camera, DragPointStaysInTheViewPlaneUnderThePointer) {
    const Camera camera;
    const glm::vec3 anchor(0.3f, 0.1f, -0.2f);
    const glm::vec3 moved = camera.dragPoint({200, 300}, kWide, anchor);
    EXPECT_NEAR(glm::dot(moved - anchor, camera.forward()), 0, 1e-4f);
    const auto pixel = camera.toPixel(moved, kWide);
    ASSERT_TRUE(pixel);
    EXPECT_NEAR(pixel->x, 200, 0.05f);
    EXPECT_NEAR(pixel->y, 300, 0.05f);
}

TEST(Camera, PanningMovesTheTargetWithThePointer) {
    Camera camera;
    const glm::vec3 point = camera.target;
    camera.pan({37, -21}, kWide);
    const auto pixel = camera.toPixel(point, kWide);
    ASSERT_TRUE(pixel);
    EXPECT_NEAR(pixel->x, 440 + 37, 0.1f);
    EXPECT_NEAR(pixel->y, 280 - 21, 0.1f);
}

TEST(Camera, ZoomAndOrbitStayInTheirRanges) {
    Camera camera;
    camera.zoom(1000);
    EXPECT_FLOAT_EQ(camera.distance, 0.05f);
    camera.zoom(-1000);
    EXPECT_FLOAT_EQ(camera.distance, 60.0f);
    camera.orbit({0, 1e6f}, kWide);
    EXPECT_FLOAT_EQ(camera.elevation, 89.0f);
}

TEST(Camera, StepsBackUntilItSeesEverything) {
    Camera camera;
    camera.azimuth = 35;
    camera.elevation = 20;
    std::vector<float> points;
    for (const float x : {-0.6f, 0.9f})
        for (const float y : {-0.2f, 0.5f})
            for (const float z : {-0.5f, 1.1f}) points.insert(points.end(), {x, y, z});
    points.insert(points.end(), {NAN, 0, 0});  // a point without a position does not count
    const auto inside = [&](const Camera& c, const Viewport& viewport) {
        for (std::size_t i = 0; i + 3 < points.size(); i += 3) {
            const auto pixel = c.toPixel({points[i], points[i + 1], points[i + 2]}, viewport);
            if (!pixel || !viewport.contains(*pixel)) return false;
        }
        return true;
    };
    for (const Viewport& viewport : {kWide, kTall})
        for (const float distance : {0.4f, 1.5f, 3.0f}) {
            camera.distance = distance;
            ASSERT_FALSE(inside(camera, viewport)) << distance;
            const Camera seen = seeing(camera, points, viewport);
            EXPECT_TRUE(inside(seen, viewport)) << distance;
            EXPECT_EQ(seen.azimuth, camera.azimuth) << "from the same side";
            EXPECT_EQ(seen.elevation, camera.elevation);
            EXPECT_LT(seen.distance, 12) << "no farther than needed";
            EXPECT_EQ(seeing(seen, points, viewport), seen) << "what is in view stays as it is";
        }
    EXPECT_EQ(seeing(camera, {}, kWide), camera);
    constexpr float kWords = 90;  // pixels at the top that the points keep clear of
    const Camera below = seeing(camera, points, kWide, {.top = kWords});
    for (std::size_t i = 0; i + 3 < points.size(); i += 3)
        EXPECT_GE(below.toPixel({points[i], points[i + 1], points[i + 2]}, kWide)->y, float(kWide.y) + kWords);
    // A legend in a corner covers no point, and costs the picture only the smaller of its width and height.
    for (const glm::vec2 corner : {glm::vec2{0.15f * float(kWide.width), 0.5f * float(kWide.height)},
                                   glm::vec2{0.5f * float(kWide.width), 0.1f * float(kWide.height)}}) {
        const Camera clear = seeing(camera, points, kWide, {.corner = corner});
        const float right = float(kWide.x) + corner.x, top = float(kWide.y + kWide.height) - corner.y;
        for (std::size_t i = 0; i + 3 < points.size(); i += 3) {
            const auto pixel = clear.toPixel({points[i], points[i + 1], points[i + 2]}, kWide);
            EXPECT_TRUE(pixel->x >= right || pixel->y <= top) << corner.x << " " << pixel->x << " " << pixel->y;
        }
        EXPECT_LT(clear.distance, 1.5f * seeing(camera, points, kWide).distance);
    }
}

}  // namespace
}  // namespace clothlab::app::render
