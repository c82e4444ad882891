#include "render/capture.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>
#include <glad/gl.h>
#include <stb_image_write.h>

namespace clothlab::app {

Image readFramebuffer(unsigned framebuffer, int framebufferHeight, int x, int y, int width, int height) {
    Image image{width, height,
                std::vector<std::uint8_t>(3 * static_cast<std::size_t>(width) * static_cast<std::size_t>(height))};
    GLint before = 0;
    glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &before);
    glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(x, framebufferHeight - y - height, width, height, GL_RGB, GL_UNSIGNED_BYTE, image.rgb.data());
    glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(before));
    // GL's first row is the lowest one.
    const std::size_t stride = 3 * static_cast<std::size_t>(width);
    for (int low = 0, high = height - 1; low < high; ++low, --high)
        std::swap_ranges(image.rgb.begin() + static_cast<std::ptrdiff_t>(low * stride),
                         image.rgb.begin() + static_cast<std::ptrdiff_t>((low + 1) * stride),
                         image.rgb.begin() + static_cast<std::ptrdiff_t>(high * stride));
    return image;
}

Expected<void> writePng(const std::string& path, const Image& image) {
    if (image.width <= 0 || image.height <= 0) return fail("the picture for " + path + " is empty");
    const std::string temporary = path + ".part";
    {
        std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
        const auto append = [](void* context, void* data, int size) {
            static_cast<std::ofstream*>(context)->write(static_cast<const char*>(data), size);
        };
        const int ok = file ? stbi_write_png_to_func(append, &file, image.width, image.height, 3, image.rgb.data(),
                                                     3 * image.width)
                            : 0;
        file.flush();
        if (ok == 0 || !file) {
            std::error_code ignored;
            std::filesystem::remove(temporary, ignored);
            return fail(fmt::format("cannot write {}: is the folder there and writable?", path));
        }
    }
    std::error_code error;
    std::filesystem::rename(temporary, path, error);
    if (error) return fail(fmt::format("cannot rename {} to {}: {}", temporary, path, error.message()));
    return {};
}

}  // namespace clothlab::app
