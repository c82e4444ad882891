#include "render/ground.hpp"

#include <algorithm>
#include <cmath>

#include "render/glm_vectors.hpp"

namespace clothlab::app::render {
namespace {

constexpr float kContactStrength = 0.85f;                    // of the shadow's strength
constexpr float kLevelNormal = 0.999f, kSameHeight = 1e-3f;  // m

}  // namespace

GroundPlane planeAt(const contact::ColliderPose& pose) {
    GroundPlane plane;
    plane.normal = glm::normalize(toGlm(pose.orientation * Vec3::UnitY()));
    // A little below what rests on it, as all solids are drawn smaller, or the two shine through each other.
    constexpr float kInset = 0.003f;
    plane.point = toGlm(pose.position) - kInset * plane.normal;
    const glm::vec3 x = std::abs(plane.normal.x) < 0.9f ? glm::vec3(1, 0, 0) : glm::vec3(0, 0, -1);
    plane.along = glm::normalize(x - glm::dot(x, plane.normal) * plane.normal);
    plane.across = glm::cross(plane.normal, plane.along);
    return plane;
}

bool isPlane(const contact::Collider& collider) { return std::holds_alternative<geometry::Plane>(collider.shape); }

std::optional<float> floorHeight(const worker::Snapshot& snapshot) {
    constexpr float kLevel = 0.9f;  // cosine
    if (!snapshot.mesh) return {};
    const auto& colliders = snapshot.mesh->colliders;
    for (std::size_t k = 0; k < std::min(colliders.size(), snapshot.colliderPoses.size()); ++k)
        if (isPlane(colliders[k]))
            if (const GroundPlane plane = planeAt(snapshot.colliderPoses[k]); plane.normal.y > kLevel)
                return plane.point.y;
    return {};
}

Expected<Ground> Ground::create(const std::string& shaderFolder) {
    auto contact = ContactShadow::create(shaderFolder);
    if (!contact) return fail(contact.error());
    Ground ground(std::move(*contact));
    auto background = ShaderProgram::load(shaderFolder, "screen.vert", "background.frag");
    if (!background) return fail(background.error());
    auto plane = ShaderProgram::load(shaderFolder, "ground.vert", "ground.frag");
    if (!plane) return fail(plane.error());
    ground.background_ = std::move(*background);
    ground.plane_ = std::move(*plane);
    ground.empty_ = gl::VertexArray::make();
    return ground;
}

void Ground::updateContact(const Sphere3& bounds, float height,
                           const std::function<void(const ShaderProgram&)>& drawCasters) {
    contactHeight_ = height;
    contact_.update(bounds, height, drawCasters);
}

void Ground::drawBackground(const SceneColors& colors) const {
    background_.use();
    background_.set("uTop", colors.top);
    background_.set("uBottom", colors.bottom);
    glBindVertexArray(empty_.get());
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

void Ground::drawPlane(const GroundPlane& plane, const SceneFit& fit, const Sight& sight, const Light& light) const {
    const auto& [viewProjection, eye, colors, rows] = sight;
    // The square is centred below the scene; the grid stays where the plane's own point has it.
    const glm::vec3 toCentre = fit.centre - plane.point;
    const glm::vec2 offset(glm::dot(toCentre, plane.along), glm::dot(toCentre, plane.across));
    const float height = glm::dot(eye - plane.point, plane.normal);
    plane_.use();
    plane_.set("uViewProjection", viewProjection);
    plane_.set("uShadowMatrix", light.worldToMap);
    plane_.set("uOrigin", plane.point + offset.x * plane.along + offset.y * plane.across);
    plane_.set("uAlong", plane.along);
    plane_.set("uAcross", plane.across);
    plane_.set("uGridOffset", offset);
    plane_.set("uRadius", kWorld * fit.radius);
    plane_.set("uCell", fit.cell);
    plane_.set("uTop", colors.top);
    plane_.set("uBottom", colors.bottom);
    plane_.set("uRows", glm::vec2(rows.low, 1.0f / float(rows.height)));
    // From below one looks through it.
    plane_.set("uOpacity", height > 0 ? 1.0f : 0.25f);
    glDepthMask(height > 0 ? GL_TRUE : GL_FALSE);
    height > 0 ? glDisable(GL_BLEND) : glEnable(GL_BLEND);
    plane_.set("uLit", colors.groundLit);
    plane_.set("uShade", colors.groundShade);
    plane_.set("uLine", colors.groundLine);
    plane_.set("uShadowStrength", height > 0 ? light.strength : 0.0f);
    plane_.set("uCover", 0);
    const bool contact =
        height > 0 && plane.normal.y > kLevelNormal && std::abs(plane.point.y - contactHeight_) < kSameHeight;
    plane_.set("uContactMatrix", contact_.worldToMap());
    plane_.set("uContactStrength", contact ? kContactStrength * light.strength : 0.0f);
    plane_.set("uContact", 1);
    glActiveTexture(GL_TEXTURE1);
    glBindTexture(GL_TEXTURE_2D, contact_.texture());
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, light.cover);
    glBindVertexArray(empty_.get());
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

}  // namespace clothlab::app::render
