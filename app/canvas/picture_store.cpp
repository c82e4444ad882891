#include "canvas/picture_store.hpp"

#include <cstdint>

#include <glad/gl.h>

#include "render/gl/capture.hpp"

namespace clothlab::app::canvas {
namespace {

unsigned load(const std::string& file) {
    const auto image = render::readPng(file);
    if (!image) return 0;
    GLuint texture = 0;
    GLint before = 0;
    glGetIntegerv(GL_TEXTURE_BINDING_2D, &before);
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGB8, image->width, image->height, 0, GL_RGB, GL_UNSIGNED_BYTE,
                 image->rgb.data());
    glGenerateMipmap(GL_TEXTURE_2D);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    glBindTexture(GL_TEXTURE_2D, GLuint(before));
    return texture;
}

}  // namespace

PictureStore::~PictureStore() {
    for (const auto& [file, texture] : textures_)
        if (texture != 0) glDeleteTextures(1, &texture);
}

ImTextureID PictureStore::picture(const std::string& file) {
    const auto [entry, fresh] = textures_.try_emplace(file, 0u);
    if (fresh) entry->second = load(file);
    // As ImGui's backend for OpenGL wants it.
    return reinterpret_cast<ImTextureID>(std::uintptr_t(entry->second));  // NOLINT(performance-no-int-to-ptr)
}

}  // namespace clothlab::app::canvas
