#include "render/gl/frames.hpp"

namespace clothlab::app::gl {

Texture makeTexture(GLint format, GLenum layout, GLenum type, int width, int height, GLint filter) {
    Texture texture = Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture.get());
    glTexImage2D(GL_TEXTURE_2D, 0, format, width, height, 0, layout, type, nullptr);
    for (const GLenum name : {GL_TEXTURE_MIN_FILTER, GL_TEXTURE_MAG_FILTER})
        glTexParameteri(GL_TEXTURE_2D, name, filter);
    for (const GLenum name : {GL_TEXTURE_WRAP_S, GL_TEXTURE_WRAP_T})
        glTexParameteri(GL_TEXTURE_2D, name, GL_CLAMP_TO_EDGE);
    return texture;
}

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
