#include <gtest/gtest.h>

#include <random>

#include "render/fake_scene.hpp"
#include "render/picking.hpp"

namespace clothlab::app::render {

using worker::Snapshot;

namespace {

const Viewport kViewport{0, 0, 640, 480};

glm::vec3 position(const Snapshot& s, Index i) {
    const std::size_t k = 3 * std::size_t(i);
    return {s.positions[k], s.positions[k + 1], s.positions[k + 2]};
}

/// Oracle: the distance at which the ray meets the triangle's plane, inside by a comparison of areas.
float planeHit(const Ray& ray, glm::dvec3 a, glm::dvec3 b, glm::dvec3 c) {
    const glm::dvec3 n = glm::cross(b - a, c - a), o(ray.origin), d(ray.direction);
    const double t = glm::dot(a - o, n) / glm::dot(d, n);
    const glm::dvec3 p = o + t * d;
    const double sum = glm::length(glm::cross(a - p, b - p)) + glm::length(glm::cross(b - p, c - p)) +
                       glm::length(glm::cross(c - p, a - p));
    return t > 0 && sum < glm::length(n) * (1 + 1e-6) ? float(t) : INFINITY;
}

TEST(Picking, AgreesWithAnotherIntersection) {
    const Snapshot sheet = fakeSheet(15, 0.2);
    Camera camera;
    camera.azimuth = 60;
    std::mt19937 random(7);
    std::uniform_real_distribution<float> x(0, 640), y(0, 480);
    int hits = 0;
    for (int k = 0; k < 400; ++k) {
        const Ray ray = camera.rayThrough({x(random), y(random)}, kViewport);
        float nearest = INFINITY;
        for (const auto& t : sheet.mesh->triangles)
            nearest =
                std::min(nearest, planeHit(ray, position(sheet, t[0]), position(sheet, t[1]), position(sheet, t[2])));
        const auto picked = pickRay(sheet, ray);
        ASSERT_EQ(picked.has_value(), std::isfinite(nearest)) << "ray " << k;
        if (!picked) continue;
        ++hits;
        EXPECT_NEAR(picked->distance, nearest, 1e-4f);
        for (Index i = 0; i < sheet.mesh->particles; ++i)  // a neighbour across an edge may be slightly nearer
            EXPECT_GE(glm::distance(position(sheet, i), picked->point) + 0.05f,
                      glm::distance(position(sheet, picked->particle), picked->point));
    }
    EXPECT_GT(hits, 50);
}

TEST(Picking, FindsTheParticleUnderItsPixel) {
    const Snapshot sheet = fakeSheet(11);
    const Camera camera;
    for (const Index particle : {12, 60, 84}) {
        const auto pixel = camera.toPixel(position(sheet, particle), kViewport);
        const auto picked = pick(sheet, camera, kViewport, *pixel);
        ASSERT_TRUE(picked);
        EXPECT_EQ(picked->particle, particle);
        EXPECT_EQ(picked->topologyRevision, 1u);
    }
}

TEST(Picking, ACornerIsFoundFromJustOutside) {
    const Snapshot sheet = fakeSheet(11);
    Camera camera;
    camera.azimuth = camera.elevation = 0;
    const glm::vec2 outside = *camera.toPixel(position(sheet, 0), kViewport) - glm::vec2(4, 4);
    const auto picked = pick(sheet, camera, kViewport, outside, 10);
    ASSERT_TRUE(picked);
    EXPECT_EQ(picked->particle, 0);
    EXPECT_FALSE(pick(sheet, camera, kViewport, outside, 3));
}

TEST(Picking, ASolidInFrontHidesTheCloth) {
    Snapshot sheet = fakeSheet(11);
    Camera camera;
    camera.azimuth = camera.elevation = 0;
    ASSERT_TRUE(pick(sheet, camera, kViewport, {320, 240}));
    addCollider(sheet, geometry::Sphere{0.1}, Vec3(0, 0, 0.5));
    EXPECT_FALSE(pick(sheet, camera, kViewport, {320, 240}));
    EXPECT_TRUE(pick(sheet, camera, kViewport, {320, 350})) << "beside the ball";
}

TEST(Picking, NothingToPickIsNoPick) {
    EXPECT_FALSE(pick(Snapshot{}, Camera{}, kViewport, {320, 240}));
    EXPECT_FALSE(pick(fakeSheet(5), Camera{}, kViewport, {-5, 240}));
}

}  // namespace
}  // namespace clothlab::app::render
