#include "render/soft_mask.hpp"

#include <glm/glm.hpp>
#include <utility>

#include "render/gl/frames.hpp"

namespace clothlab::app::render {
namespace {

/// A square; outside of it everything is as far as `border` says.
gl::Texture makeSquare(GLint format, GLenum layout, GLenum type, int side, float border) {
    gl::Texture texture = gl::makeTexture(format, layout, type, side, side, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_BORDER);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_BORDER);
    const float borders[] = {border, border, border, border};
    glTexParameterfv(GL_TEXTURE_2D, GL_TEXTURE_BORDER_COLOR, borders);
    return texture;
}

}  // namespace

gl::Texture makeDepthTexture(int side) {
    gl::Texture depth =
        makeSquare(GL_DEPTH_COMPONENT24, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, side, 1);  // outside is far: lit
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_FUNC, GL_LEQUAL);
    return depth;
}

gl::Framebuffer makeDepthFrame(const gl::Texture& depth) { return gl::makeFrame(GL_DEPTH_ATTACHMENT, depth); }

Expected<SoftMask> SoftMask::create(const std::string& shaderFolder, const std::string& fill, int side) {
    SoftMask mask;
    mask.side_ = side;
    for (const auto& [program, fragment] :
         {std::pair{&mask.fill_, fill}, std::pair{&mask.blur_, std::string("blur.frag")}}) {
        auto loaded = ShaderProgram::load(shaderFolder, "screen.vert", fragment);
        if (!loaded) return fail(loaded.error());
        *program = std::move(*loaded);
    }
    for (int k = 0; k < 2; ++k) {
        mask.mask_[k] = makeSquare(GL_R8, GL_RED, GL_UNSIGNED_BYTE, side, 0);
        mask.frame_[k] = gl::makeFrame(GL_COLOR_ATTACHMENT0, mask.mask_[k]);
    }
    mask.empty_ = gl::VertexArray::make();
    return mask;
}

void SoftMask::update(const gl::Texture& depth) const {
    glActiveTexture(GL_TEXTURE0);
    glBindVertexArray(empty_.get());
    glViewport(0, 0, side_, side_);
    glBindTexture(GL_TEXTURE_2D, depth.get());
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_NONE);
    glBindFramebuffer(GL_FRAMEBUFFER, frame_[0].get());
    fill_.use();
    fill_.set("uDepth", 0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_COMPARE_MODE, GL_COMPARE_REF_TO_TEXTURE);
    blur_.use();
    blur_.set("uSource", 0);
    for (int axis = 0; axis < 2; ++axis) {
        glBindFramebuffer(GL_FRAMEBUFFER, frame_[1 - axis].get());
        glBindTexture(GL_TEXTURE_2D, mask_[axis].get());
        blur_.set("uStep", axis == 0 ? glm::vec2(1.0f / float(side_), 0) : glm::vec2(0, 1.0f / float(side_)));
        glDrawArrays(GL_TRIANGLES, 0, 3);
    }
}

}  // namespace clothlab::app::render
