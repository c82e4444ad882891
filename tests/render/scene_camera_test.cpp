#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "geometry/shapes.hpp"
#include "render/camera.hpp"
#include "simulation/scenes.hpp"

// From its own camera, each scene is visible as a whole in the square in the middle of the picture, which every picture
// contains, also the halves of slow motion and the picture beside the matrix.
namespace clothlab::app::render {
namespace {

/// Points of the motion: all particles every few steps.
std::vector<glm::vec3> recordMotion(const std::string& name, std::size_t& steps) {
    const scene::Scene scene = *scene::findScene(name, CLOTHLAB_SOURCE_DIR "/assets");
    const scene::ClothPatch cloth = scene.cloths[0];
    const bool costly = scene.settings.contact.selfCollision == contact::SelfCollision::Robust;
    const bool coarser = !cloth.mesh && cloth.rows == cloth.columns && cloth.rows >= 41;  // a coarser grid moves alike
    std::vector<const char*> sets;
    if (cloth.solid)
        sets = {name == "liu-hippo" ? "cloth.spacing=0.07" : "cloth.spacing=0.045", "cloth.surface_spacing=0"};
    else if (costly && !cloth.mesh && cloth.rows == cloth.columns)
        sets = {"cloth.rows=11", "cloth.columns=11"};
    else if (coarser)
        sets = {"cloth.rows=15", "cloth.columns=15"};
    const auto simulation = testing::simulate(name, sets);
    std::vector<glm::vec3> points;
    // Steps after these stay within the same space: the twist winds up on the spot, and a shirt settles where it is.
    const int most = cloth.mesh ? 150 : 350;
    steps = std::size_t(costly ? std::min(simulation->scene().steps, most) : simulation->scene().steps);
    for (std::size_t step = 0; step <= steps; ++step) {
        if (step > 0) simulation->step();
        if (step % 4 != 0) continue;
        const auto& x = simulation->state().x;
        for (Index i = 0; i < x.size(); ++i) points.emplace_back(x[i].x(), x[i].y(), x[i].z());
    }
    return points;
}

struct Basis {
    glm::vec3 right, up, forward;
    float slope;  ///< half the square over its distance
    explicit Basis(const Camera& camera)
        : right(camera.right()),
          up(camera.up()),
          forward(camera.forward()),
          slope(std::tan(glm::radians(camera.fieldOfView) / 2)) {}
    /// The smallest distance from `target` at which the point is within `share` of the square.
    float distance(glm::vec3 point, glm::vec3 target, float share) const {
        const glm::vec3 d = point - target;
        return std::max(std::abs(glm::dot(d, right)), std::abs(glm::dot(d, up))) / (share * slope) -
               glm::dot(d, forward);
    }
    float distance(const std::vector<glm::vec3>& points, glm::vec3 target, float share) const {
        float most = 0;
        for (const glm::vec3 p : points) most = std::max(most, distance(p, target, share));
        return most;
    }
};

/// A camera that would suffice, as a hint for a failing scene.
std::string advice(const Basis& basis, const std::vector<glm::vec3>& points, glm::vec3 target) {
    float best = 1e9f;
    glm::vec3 there = target;
    for (float a = -0.5f; a <= 0.5f; a += 0.05f)
        for (float b = -0.5f; b <= 0.5f; b += 0.05f) {
            const float scale = glm::length(points.front() - points.back());
            const glm::vec3 moved = target + scale * (a * basis.right + b * basis.up);
            if (const float d = basis.distance(points, moved, 0.96f); d < best) best = d, there = moved;
        }
    return fmt::format("target = [{:.2f}, {:.2f}, {:.2f}], distance = {:.2f}", there.x, there.y, there.z, best);
}

TEST(SceneCamera, SeesTheWholeMotion) {
    for (const std::string& name : scene::builtInScenes(CLOTHLAB_SOURCE_DIR "/assets")) {
        const auto scene = scene::findScene(name, CLOTHLAB_SOURCE_DIR "/assets");
        ASSERT_TRUE(scene) << name;
        const Camera camera = Camera::fromHint(scene->camera);
        std::size_t steps = 0;
        const std::vector<glm::vec3> points = recordMotion(name, steps);
        const Basis basis(camera);
        EXPECT_LE(basis.distance(points, camera.target, 0.99f), camera.distance)
            << name << ": " << advice(basis, points, camera.target);
        EXPECT_GE(basis.distance(points, camera.target, 0.99f), 0.7f * camera.distance)
            << name << " is seen from too far: " << advice(basis, points, camera.target);
    }
}

/// The ball is not hidden by the cloth when it hits.
TEST(SceneCamera, SeesTheBallThatHitsTheSheet) {
    const auto scene = scene::findScene("ball-hit", CLOTHLAB_SOURCE_DIR "/assets");
    ASSERT_TRUE(scene);
    const Camera camera = Camera::fromHint(scene->camera);
    // The ball moves along +z and the sheet hangs at z = 0: from the side of -z the ball is in front.
    EXPECT_LT(camera.eye().z, -0.2f);
    const glm::vec3 toEye = glm::normalize(camera.eye() - camera.target);
    EXPECT_GT(std::abs(toEye.x), 0.6f) << "from the side, so that the wave in the sheet is visible";
}

}  // namespace
}  // namespace clothlab::app::render
