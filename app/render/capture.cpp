#include "render/capture.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <glad/gl.h>
#include <stb_image.h>
#include <stb_image_write.h>

#include "base/input.hpp"

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

Expected<Image> readPng(const std::string& path) {
    const auto text = readFile(path, {.bytes = 64u << 20});
    if (!text) return tl::unexpected<Error>(text.error());
    const auto* bytes = reinterpret_cast<const stbi_uc*>(text->data());
    const int size = int(text->size());
    int width = 0, height = 0, channels = 0;
    // Other formats that the library knows are nobody's pictures here.
    if (!text->starts_with("\x89PNG") || stbi_info_from_memory(bytes, size, &width, &height, &channels) == 0)
        return fail(Error{.message = "this is no PNG", .file = path});
    if (width > kMostPixels || height > kMostPixels)
        return fail(Error{.message = fmt::format("a picture of {} x {} is too large", width, height), .file = path});
    const std::unique_ptr<stbi_uc, void (*)(void*)> pixels(
        stbi_load_from_memory(bytes, size, &width, &height, &channels, 3), stbi_image_free);
    if (!pixels) return fail(Error{.message = "the picture is damaged", .file = path});
    return Image{width, height, {pixels.get(), pixels.get() + 3 * std::size_t(width) * std::size_t(height)}};
}

}  // namespace clothlab::app::render
