#pragma once

#include <string>

#include "render/gl/gl_handles.hpp"
#include "render/gl/shader_program.hpp"

namespace clothlab::app::render {

/// A depth texture of these square sides; outside of it everything is far.
gl::Texture makeDepthTexture(int side);
gl::Framebuffer makeDepthFrame(const gl::Texture& depth);

/// A small picture of one number, 0 .. 1, made of a depth map by a shader and blurred: shadows on the ground that cost
/// one soft tap per pixel. It is 0 outside.
class SoftMask {
public:
    /// `fill` is the fragment shader that turns depths (uDepth) into the number. The blur reaches over six texels of
    /// the `side` of the mask.
    static Expected<SoftMask> create(const std::string& shaderFolder, const std::string& fill, int side);

    void update(const gl::Texture& depth) const;
    GLuint texture() const { return mask_[0].get(); }

private:
    ShaderProgram fill_, blur_;
    gl::Texture mask_[2];
    gl::Framebuffer frame_[2];
    gl::VertexArray empty_;
    int side_ = 1;
};

}  // namespace clothlab::app::render
