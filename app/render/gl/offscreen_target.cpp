#include "render/gl/offscreen_target.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

namespace clothlab::app::render {

Expected<std::unique_ptr<OffscreenTarget>> OffscreenTarget::create(int width, int height) {
    GLint largest = 0, before = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    if (width < 1 || height < 1 || width > largest || height > largest)
        return fail(fmt::format("a picture of {} x {} pixels cannot be drawn (1 x 1 to {} x {})", width, height,
                                largest, largest));
    auto self = std::unique_ptr<OffscreenTarget>(new OffscreenTarget);
    self->width_ = width;
    self->height_ = height;
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
    glGenFramebuffers(1, &self->framebuffer_);
    glGenRenderbuffers(1, &self->color_);
    glGenRenderbuffers(1, &self->depth_);
    glBindRenderbuffer(GL_RENDERBUFFER, self->color_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, self->depth_);
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, self->framebuffer_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, self->color_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, self->depth_);
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, GLuint(before));
    if (!complete) return fail(fmt::format("the driver refuses a framebuffer of {} x {}", width, height));
    return self;
}

OffscreenTarget::~OffscreenTarget() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &color_);
    glDeleteRenderbuffers(1, &depth_);
}

}  // namespace clothlab::app::render
