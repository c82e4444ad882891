#pragma once

#include <functional>
#include <glm/glm.hpp>

#include "render/camera.hpp"
#include "render/gl/gl_handles.hpp"
#include "render/gl/shader_program.hpp"
#include "render/scene_fit.hpp"

namespace clothlab::app::render {

/// Ambient occlusion in screen space (McGuire and others, "Scalable ambient obscurance", 2012). The depths of the
/// picture are drawn at half its size, a dozen samples around each pixel estimate the occluded part of the half space
/// over the surface, and a mean that stops at steps in depth removes the noise. Without it, layers on each other and
/// the depth of a fold all have one colour.
class Occlusion {
public:
    static Expected<Occlusion> create(const std::string& shaderFolder);

    /// Draws the casters (called with the depth program in use and its matrix set; it sets uModel) as the camera sees
    /// them. `bounds` is of all of them: where they are not seen there is nothing to compute. What is farther off than
    /// `reach` (m) keeps no light away.
    void update(const Camera& camera, const Viewport& viewport, const Sphere3& bounds, float reach,
                const std::function<void(const ShaderProgram&)>& drawCasters);

    /// 1 where nothing is in the way, over the whole viewport.
    GLuint texture() const { return filtered_[1].get(); }

private:
    Occlusion() = default;
    void resize(int width, int height);

    ShaderProgram depthProgram_, occlusionProgram_, blurProgram_;
    gl::Texture depth_, filtered_[2];
    gl::Framebuffer depthFrame_, frames_[2];
    gl::VertexArray empty_;
    int width_ = 0, height_ = 0;
};

}  // namespace clothlab::app::render
