#include "render/capture.hpp"

#include <algorithm>

#include <glad/gl.h>
#include <stb_image_write.h>

namespace clothlab::app::render {

Image readFramebuffer(unsigned framebuffer, int framebufferHeight, int x, int y, int width, int height) {
    Image image{width, height, std::vector<std::uint8_t>(3 * std::size_t(width) * std::size_t(height))};
    GLint before = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(x, framebufferHeight - y - height, width, height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, GLuint(before));
    // GL's first row is the lowest one.
    const std::size_t stride = 3 * std::size_t(width);
    for (int low = 0, high = height - 1; low < high; ++low, --high)
        std::swap_ranges(image.rgb.begin() + std::ptrdiff_t(low * stride),
                         image.rgb.begin() + std::ptrdiff_t((low + 1) * stride),
                         image.rgb.begin() + std::ptrdiff_t(high * stride));
    return image;
}

Expected<void> writePng(const std::string& path, const Image& image, const InputFiles& inputs, Care care) {
    if (image.width <= 0 || image.height <= 0) return fail("the picture for " + path + " is empty");
    std::string png;
    const auto append = [](void* context, void* data, int size) {
        static_cast<std::string*>(context)->append(static_cast<const char*>(data), std::size_t(size));
    };
    if (stbi_write_png_to_func(append, &png, image.width, image.height, 3, image.rgb.data(), 3 * image.width) == 0)
        return fail(Error{.message = "the picture cannot be encoded", .file = path});
    return writeFile(path, png, inputs, care);
}

}  // namespace clothlab::app::render
