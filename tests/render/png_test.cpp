#include "render/gl/png.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stb_image.h>
#include <stb_image_write.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

// An independent reader reads the files, and they are no larger than those of stb_image_write.
namespace clothlab::app::render {
namespace {

using Byte = std::uint8_t;

struct Sample {
    std::string what;
    int width, height, channels;
    std::vector<Byte> pixels;
};

template <class Colour>
Sample makeSample(std::string what, int width, int height, int channels, Colour&& colour) {
    Sample picture{std::move(what), width, height, channels, {}};
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c) picture.pixels.push_back(Byte(colour(x, y, c)));
    return picture;
}

std::vector<Sample> samples() {
    std::vector<Sample> all;
    std::mt19937 random(7);
    const auto wave = [](int x, int y, int c) { return 127 + 60 * std::sin(0.03 * x + c) + 60 * std::cos(0.02 * y); };
    // One pixel, one row, one column; bands of which the sampled rows are all, a part or none.
    for (const auto& [width, height] : {std::pair{1, 1}, {300, 1}, {1, 300}, {7, 8}, {61, 129}, {200, 140}})
        for (const int channels : {3, 4}) {
            all.push_back(makeSample("flat", width, height, channels, [](int, int, int c) { return 40 + c; }));
            all.push_back(makeSample("across", width, height, channels, [](int x, int, int) { return x; }));
            all.push_back(makeSample("down", width, height, channels, [](int, int y, int) { return y; }));
            all.push_back(
                makeSample("slanted", width, height, channels, [](int x, int y, int c) { return x + y + c; }));
            all.push_back(makeSample("smooth", width, height, channels, wave));
            all.push_back(makeSample("dithered", width, height, channels, [&](int x, int y, int c) {
                return wave(x, y, c) / 8 + double(random() % 1000) / 1000;
            }));
            all.push_back(makeSample("noise", width, height, channels, [&](int, int, int) { return random() & 255; }));
        }
    return all;
}

std::string encoded(const Sample& p) {
    const auto png = encodePng(p.width, p.height, p.channels, p.pixels);
    EXPECT_TRUE(png) << (png ? "" : png.error().text());
    return png.value_or("");
}

TEST(Png, IsReadBackPixelByPixel) {
    for (const Sample& p : samples()) {
        SCOPED_TRACE(fmt::format("{} {} x {} x {}", p.what, p.width, p.height, p.channels));
        const std::string png = encoded(p);
        int width = 0, height = 0, channels = 0;
        const std::unique_ptr<stbi_uc, void (*)(void*)> read(
            stbi_load_from_memory(reinterpret_cast<const stbi_uc*>(png.data()), int(png.size()), &width, &height,
                                  &channels, 0),
            stbi_image_free);
        ASSERT_NE(read, nullptr) << stbi_failure_reason();
        ASSERT_EQ(width, p.width);
        ASSERT_EQ(height, p.height);
        ASSERT_EQ(channels, p.channels);
        EXPECT_TRUE(std::equal(p.pixels.begin(), p.pixels.end(), read.get()));
    }
}

TEST(Png, IsNoLargerThanWhatStbMakes) {
    for (const Sample& p : samples()) {
        std::size_t size = 0;
        const auto count = [](void* bytes, void*, int more) { *static_cast<std::size_t*>(bytes) += std::size_t(more); };
        ASSERT_NE(
            stbi_write_png_to_func(count, &size, p.width, p.height, p.channels, p.pixels.data(), p.channels * p.width),
            0);
        constexpr std::size_t kStored = 16;  // additional bytes for a few pixels, which libdeflate stores
        EXPECT_LE(encoded(p).size(), size + kStored)
            << fmt::format("{} {} x {} x {}", p.what, p.width, p.height, p.channels);
    }
}

/// CRC of ISO 3309 bit by bit, as in annex D of PNG.
std::uint32_t checksum(std::string_view bytes) {
    std::uint32_t crc = ~0u;
    for (const char byte : bytes) {
        crc ^= Byte(byte);
        for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0u);
    }
    return ~crc;
}

// Other readers check these, stb's does not.
TEST(Png, ChunksHaveTheirLengthsAndChecksums) {
    const std::string png = encoded(makeSample("across", 50, 20, 4, [](int x, int, int) { return 5 * x; }));
    const auto number = [&](std::size_t at) {
        std::uint32_t value = 0;
        for (std::size_t k = 0; k < 4; ++k) value = value << 8 | Byte(png.at(at + k));
        return value;
    };
    std::string types;
    std::size_t at = 8;
    while (at < png.size()) {
        const std::size_t length = number(at);
        types += png.substr(at + 4, 4) + " ";
        EXPECT_EQ(number(at + 8 + length), checksum(std::string_view(png).substr(at + 4, 4 + length)));
        at += 12 + length;
    }
    EXPECT_EQ(at, png.size());
    EXPECT_EQ(types, "IHDR IDAT IEND ");
}

TEST(Png, IsTheSameOnSeveralThreadsAtOnce) {
    const Sample picture = samples().back();
    const std::string expected = encoded(picture);
    std::vector<std::string> made(4);
    {
        std::vector<std::jthread> threads;
        threads.reserve(made.size());
        for (std::string& png : made) threads.emplace_back([&] { png = encoded(picture); });
    }
    for (const std::string& png : made) EXPECT_TRUE(png == expected);
}

TEST(Png, RefusesAPictureWithoutPixels) {
    EXPECT_FALSE(encodePng(0, 5, 3, {}));
    EXPECT_FALSE(encodePng(5, 0, 3, {}));
}

}  // namespace
}  // namespace clothlab::app::render
