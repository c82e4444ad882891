#pragma once

#include "render/gl/gl_handles.hpp"

namespace clothlab::app::gl {

/// An empty texture, filtered as `filter` says; its border continues its last texels.
Texture makeTexture(GLint format, GLenum layout, GLenum type, int width, int height, GLint filter);

/// A framebuffer that draws into one texture: GL_COLOR_ATTACHMENT0, or GL_DEPTH_ATTACHMENT and then no colour. It stays
/// bound.
Framebuffer makeFrame(GLenum attachment, const Texture& texture);

}  // namespace clothlab::app::gl
