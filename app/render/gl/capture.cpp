#include "render/gl/capture.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <glad/gl.h>
#include <stb_image.h>

#include "base/input.hpp"
#include "render/gl/png.hpp"

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

/// c = a f over black and a f + (1 - a) over white: the difference is 1 - a.
Image halved(const Image& image) {
    Image half{image.width / 2, image.height / 2, {}};
    half.rgb.reserve(std::size_t(3 * half.width) * std::size_t(half.height));
    for (int y = 0; y < half.height; ++y)
        for (int x = 0; x < half.width; ++x)
            for (int c = 0; c < 3; ++c)
                half.rgb.push_back(
                    std::uint8_t((image.at(2 * x, 2 * y)[c] + image.at(2 * x + 1, 2 * y)[c] +
                                  image.at(2 * x, 2 * y + 1)[c] + image.at(2 * x + 1, 2 * y + 1)[c] + 2) /
                                 4));
    return half;
}

Matte extractMatte(const Image& overBlack, const Image& overWhite) {
    const std::size_t pixels = std::size_t(overBlack.width) * std::size_t(overBlack.height);
    Matte matte{overBlack.width, overBlack.height, std::vector<std::uint8_t>(4 * pixels)};
    for (std::size_t k = 0; k < pixels; ++k) {
        int between = 255;  // the channel that saturates last says it best
        for (std::size_t c = 0; c < 3; ++c)
            between = std::min(between, std::max(0, int(overWhite.rgb[3 * k + c]) - int(overBlack.rgb[3 * k + c])));
        const int alpha = 255 - between;
        for (std::size_t c = 0; c < 3; ++c)
            matte.rgba[4 * k + c] =
                std::uint8_t(alpha == 0 ? 0 : std::min(255, (255 * int(overBlack.rgb[3 * k + c]) + alpha / 2) / alpha));
        matte.rgba[4 * k + 3] = std::uint8_t(alpha);
    }
    return matte;
}

static Expected<void> writePixels(const std::string& path, int width, int height, int channels,
                                  const std::vector<std::uint8_t>& pixels, const InputFiles& inputs, Care care) {
    const auto png = encodePng(width, height, channels, pixels);
    if (!png) return fail(Error{.message = png.error().message, .file = path});
    return writeFile(path, *png, inputs, care);
}

Expected<std::string> encodePng(const Image& image) { return encodePng(image.width, image.height, 3, image.rgb); }

Expected<void> writePng(const std::string& path, const Image& image, const InputFiles& inputs, Care care) {
    return writePixels(path, image.width, image.height, 3, image.rgb, inputs, care);
}

Expected<void> writePng(const std::string& path, const Matte& matte, const InputFiles& inputs, Care care) {
    return writePixels(path, matte.width, matte.height, 4, matte.rgba, inputs, care);
}

Expected<Image> readPng(const std::string& path) {
    const auto text = readFile(path, {.bytes = 64u << 20});
    if (!text) return fail(text.error());
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
