#include "render/shadow_map.hpp"

#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

namespace clothlab::app::render {
namespace {

constexpr int kDepthSide = 768, kCoverSide = 128;
constexpr float kSizeStep = 1.15f;  // the map's size changes in steps, so that its texels do not creep

}  // namespace

Expected<ShadowMap> ShadowMap::create(const std::string& shaderFolder) {
    ShadowMap map;
    auto program = ShaderProgram::load(shaderFolder, "depth.vert", "depth.frag");
    if (!program) return fail(program.error());
    map.depthProgram_ = std::move(*program);
    auto cover = SoftMask::create(shaderFolder, "cover.frag", kCoverSide);
    if (!cover) return fail(cover.error());
    map.cover_ = std::move(*cover);
    map.depth_ = makeDepthTexture(kDepthSide);
    map.depthFrame_ = makeDepthFrame(map.depth_);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return map;
}

float ShadowMap::texel() const { return 1.0f / kDepthSide; }

void ShadowMap::fit(const Sphere3& bounds, const glm::vec3& toLight) {
    // A border of a few texels stays free, so that the blurred shadow ends inside the map.
    const float needed = bounds.radius * 1.12f;
    const float radius = std::pow(kSizeStep, std::ceil(std::log(needed) / std::log(kSizeStep)));
    metresPerTexel_ = 2 * radius / kDepthSide;
    const glm::mat4 turn =
        glm::lookAt(glm::vec3(0), -toLight, std::abs(toLight.y) > 0.99f ? glm::vec3(1, 0, 0) : glm::vec3(0, 1, 0));
    glm::vec3 centre = glm::vec3(turn * glm::vec4(bounds.centre, 1));
    const float snap = 2 * radius / kCoverSide;
    centre.x = std::round(centre.x / snap) * snap;
    centre.y = std::round(centre.y / snap) * snap;
    light_ = glm::ortho(centre.x - radius, centre.x + radius, centre.y - radius, centre.y + radius, -centre.z - radius,
                        -centre.z + radius) *
             turn;
    worldToMap_ = glm::translate(glm::mat4(1), glm::vec3(0.5f)) * glm::scale(glm::mat4(1), glm::vec3(0.5f)) * light_;
}

void ShadowMap::update(const Sphere3& bounds, const glm::vec3& toLight,
                       const std::function<void(const ShaderProgram&)>& drawCasters) {
    fit(bounds, toLight);
    glBindFramebuffer(GL_FRAMEBUFFER, depthFrame_.get());
    glViewport(0, 0, kDepthSide, kDepthSide);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glClear(GL_DEPTH_BUFFER_BIT);
    // Depths are stored a little farther than they are: a surface then does not shade itself.
    glEnable(GL_POLYGON_OFFSET_FILL);
    glPolygonOffset(1.5f, 2.0f);
    depthProgram_.use();
    depthProgram_.set("uViewProjection", light_);
    drawCasters(depthProgram_);
    glDisable(GL_POLYGON_OFFSET_FILL);
    glDisable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    cover_.update(depth_);
}

}  // namespace clothlab::app::render
