#include "render/gl/offscreen_target.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <glad/gl.h>

namespace clothlab::app::render {

Expected<std::unique_ptr<OffscreenTarget>> OffscreenTarget::create(int width, int height, int samples) {
    GLint largest = 0, mostSamples = 0, before = 0;
    glGetIntegerv(GL_MAX_RENDERBUFFER_SIZE, &largest);
    glGetIntegerv(GL_MAX_SAMPLES, &mostSamples);
    if (width < 1 || height < 1 || width > largest || height > largest)
        return fail(fmt::format("a picture of {} x {} pixels cannot be drawn (1 x 1 to {} x {})", width, height,
                                largest, largest));
    auto self = std::unique_ptr<OffscreenTarget>(new OffscreenTarget);
    self->width_ = width;
    self->height_ = height;
    self->samples_ = std::clamp(samples, 0, int(mostSamples));
    glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before);
    glGenFramebuffers(1, &self->framebuffer_);
    glGenRenderbuffers(1, &self->color_);
    glGenRenderbuffers(1, &self->depth_);
    glBindRenderbuffer(GL_RENDERBUFFER, self->color_);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, self->samples_, GL_RGBA8, width, height);
    glBindRenderbuffer(GL_RENDERBUFFER, self->depth_);
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, self->samples_, GL_DEPTH_COMPONENT24, width, height);
    glBindFramebuffer(GL_FRAMEBUFFER, self->framebuffer_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, self->color_);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, self->depth_);
    const bool complete = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
    glBindFramebuffer(GL_FRAMEBUFFER, GLuint(before));
    if (!complete)
        return fail(
            fmt::format("the driver refuses a framebuffer of {} x {} with {} samples", width, height, self->samples_));
    return self;
}

OffscreenTarget::~OffscreenTarget() {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &color_);
    glDeleteRenderbuffers(1, &depth_);
}

void resolveInto(const OffscreenTarget& multisampled, const OffscreenTarget& plain, unsigned framebuffer, int x,
                 int y) {
    const int width = plain.width(), height = plain.height();
    glDisable(GL_SCISSOR_TEST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, multisampled.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, plain.framebuffer());
    glBlitFramebuffer(0, 0, width, height, 0, 0, width, height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, plain.framebuffer());
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
    glBlitFramebuffer(0, 0, width, height, x, y, x + width, y + height, GL_COLOR_BUFFER_BIT, GL_NEAREST);
}

}  // namespace clothlab::app::render
