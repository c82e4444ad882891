#pragma once

#include <functional>

#include <glm/glm.hpp>

#include "render/gl/gl_handles.hpp"
#include "render/gl/shader_program.hpp"
#include "render/scene_fit.hpp"
#include "render/soft_mask.hpp"

namespace clothlab::app::render {

/// Shadows of the key light: a depth map for the cloth and the solids, and, blurred and smaller, the occlusion below
/// everything, which is all that the ground needs: one soft tap per pixel.
class ShadowMap {
public:
    static Expected<ShadowMap> create(const std::string& shaderFolder);

    /// Draws the casters (called with the depth program in use and its light matrix set; it sets uModel).
    void update(const Sphere3& bounds, const glm::vec3& toLight,
                const std::function<void(const ShaderProgram&)>& drawCasters);

    const glm::mat4& worldToMap() const { return worldToMap_; }  ///< to 0..1
    float texel() const;                                         ///< 1 / side
    float metresPerTexel() const { return metresPerTexel_; }
    GLuint depthTexture() const { return depth_.get(); }
    GLuint coverTexture() const { return cover_.texture(); }

private:
    ShadowMap() = default;
    void fit(const Sphere3& bounds, const glm::vec3& toLight);

    ShaderProgram depthProgram_;
    gl::Texture depth_;
    gl::Framebuffer depthFrame_;
    SoftMask cover_;
    glm::mat4 light_{1}, worldToMap_{1};
    float metresPerTexel_ = 1;
};

}  // namespace clothlab::app::render
