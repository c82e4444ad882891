#pragma once

#include "render/gl/gl_handles.hpp"

namespace clothlab::app::gl {

/// A framebuffer that draws into one texture: GL_COLOR_ATTACHMENT0, or GL_DEPTH_ATTACHMENT and then no colour. It stays
/// bound.
Framebuffer makeFrame(GLenum attachment, const Texture& texture);

}  // namespace clothlab::app::gl
