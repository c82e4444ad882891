#include "render/gl/frames.hpp"

namespace clothlab::app::gl {

Framebuffer makeFrame(GLenum attachment, const Texture& texture) {
    Framebuffer frame = Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, frame.get());
    glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture.get(), 0);
    if (attachment == GL_DEPTH_ATTACHMENT) {
        glDrawBuffer(GL_NONE);
        glReadBuffer(GL_NONE);
    }
    return frame;
}

}  // namespace clothlab::app::gl
