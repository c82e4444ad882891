#include "render/contact_shadow.hpp"

#include <glm/gtc/matrix_transform.hpp>

namespace clothlab::app::render {
namespace {

constexpr int kContactSide = 128, kContactMask = 40;
constexpr float kContactReach = 0.22f;  // of the radius: higher is no contact
constexpr float kContactBelow = 0.1f;   // of the reach: what dips into the ground touches it

}  // namespace

Expected<ContactShadow> ContactShadow::create(const std::string& shaderFolder) {
    ContactShadow contact;
    auto program = ShaderProgram::load(shaderFolder, "depth.vert", "depth.frag");
    if (!program) return fail(program.error());
    auto mask = SoftMask::create(shaderFolder, "contact.frag", kContactMask);
    if (!mask) return fail(mask.error());
    contact.depthProgram_ = std::move(*program);
    contact.mask_ = std::move(*mask);
    contact.depth_ = makeDepthTexture(kContactSide);
    contact.frame_ = makeDepthFrame(contact.depth_);
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
    return contact;
}

void ContactShadow::update(const Sphere3& bounds, float ground,
                           const std::function<void(const ShaderProgram&)>& drawCasters) {
    const float radius = bounds.radius * 1.3f, reach = kContactReach * bounds.radius;
    const glm::vec3 eye(bounds.centre.x, ground, bounds.centre.z);
    const glm::mat4 up = glm::ortho(-radius, radius, -radius, radius, -kContactBelow * reach, reach) *
                         glm::lookAt(eye, eye + glm::vec3(0, 1, 0), glm::vec3(0, 0, 1));
    worldToMap_ = glm::translate(glm::mat4(1), glm::vec3(0.5f)) * glm::scale(glm::mat4(1), glm::vec3(0.5f)) * up;
    glBindFramebuffer(GL_FRAMEBUFFER, frame_.get());
    glViewport(0, 0, kContactSide, kContactSide);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
    glClear(GL_DEPTH_BUFFER_BIT);
    depthProgram_.use();
    depthProgram_.set("uViewProjection", up);
    drawCasters(depthProgram_);
    glDisable(GL_DEPTH_TEST);
    glDepthMask(GL_FALSE);
    mask_.update(depth_);
}

}  // namespace clothlab::app::render
