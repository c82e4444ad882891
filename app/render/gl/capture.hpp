#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/output.hpp"

namespace clothlab::app::render {

/// A picture: RGB, 8 bits, sRGB, rows from top to bottom.
struct Image {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb;

    const std::uint8_t* at(int x, int y) const { return &rgb[3 * (std::size_t(y) * width + x)]; }
};

/// Reads a rectangle of a framebuffer (0 = the window's back buffer) in the current context; y runs down from the top
/// of a framebuffer that is `framebufferHeight` high. Waits until the picture is drawn.
Image readFramebuffer(unsigned framebuffer, int framebufferHeight, int x, int y, int width, int height);

/// Half as many pixels per side, each the mean of four: supersampling. An odd row or column at the end is dropped.
Image halved(const Image& image);

/// A picture with coverage, from drawings over black and over white: RGBA, 8 bits, not premultiplied.
struct Matte {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;
};
Matte extractMatte(const Image& overBlack, const Image& overWhite);

/// The bytes of a PNG; on any thread.
Expected<std::string> encodePng(const Image& image);
/// Writes a whole PNG, or returns an Error and leaves the file unchanged.
Expected<void> writePng(const std::string& path, const Image& image, const InputFiles& inputs, Care care = Care::Full);
Expected<void> writePng(const std::string& path, const Matte& matte, const InputFiles& inputs, Care care = Care::Full);
/// The picture of a PNG file of at most kMostPixels per side, without its alpha.
Expected<Image> readPng(const std::string& path);
inline constexpr int kMostPixels = 4096;

}  // namespace clothlab::app::render
