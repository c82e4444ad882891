#pragma once

#include <functional>
#include <glm/glm.hpp>

#include "render/scene_fit.hpp"
#include "render/soft_mask.hpp"

namespace clothlab::app::render {

/// Occlusion of the sky's light on the level ground by surfaces on or just above it: seen from below, by the distance
/// of the lowest one. With only the shadow of the key light, cloth that touches the ground seems to hover.
class ContactShadow {
public:
    static Expected<ContactShadow> create(const std::string& shaderFolder);

    /// Draws the casters (called with the depth program in use and its matrix set; it sets uModel). `bounds` is of
    /// cloth and solids; what is higher than a share of its radius over `ground` (m) counts for nothing.
    void update(const Sphere3& bounds, float ground, const std::function<void(const ShaderProgram&)>& drawCasters);

    const glm::mat4& worldToMap() const { return worldToMap_; }  ///< to 0..1
    GLuint texture() const { return mask_.texture(); }

private:
    ContactShadow() = default;

    ShaderProgram depthProgram_;
    gl::Texture depth_;
    gl::Framebuffer frame_;
    SoftMask mask_;
    glm::mat4 worldToMap_{1};
};

}  // namespace clothlab::app::render
