#include "render/gl/capture.hpp"

#include <gtest/gtest.h>
#include <cmath>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace clothlab::app::render {
namespace {

TEST(Capture, WritesAPngOfTheRightSize) {
    const auto path = (std::filesystem::temp_directory_path() / "clothlab_capture_test.png").string();
    const auto written = writePng(path, Image{3, 2, std::vector<std::uint8_t>(18, 77)}, {});
    ASSERT_TRUE(written) << written.error().text();
    std::ifstream file(path, std::ios::binary);
    unsigned char head[24] = {};
    file.read(reinterpret_cast<char*>(head), sizeof head);
    const unsigned char signature[8] = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a};
    EXPECT_TRUE(std::equal(signature, signature + 8, head));
    EXPECT_EQ(head[19], 3);
    EXPECT_EQ(head[23], 2);
    EXPECT_FALSE(std::filesystem::exists(path + ".part"));
    std::filesystem::remove(path);
    EXPECT_FALSE(writePng("/no/such/folder/a.png", Image{1, 1, {1, 2, 3}}, {}));
}

TEST(Capture, HalfAPictureHasTheMeanOfEachFourPixels) {
    Image image{5, 2, {}};
    for (int y = 0; y < 2; ++y)
        for (int x = 0; x < 5; ++x)
            for (int c = 0; c < 3; ++c) image.rgb.push_back(std::uint8_t(10 * x + 100 * y + c));
    const Image half = halved(image);
    ASSERT_EQ(half.width, 2);
    ASSERT_EQ(half.height, 1);
    EXPECT_EQ(half.rgb, (std::vector<std::uint8_t>{55, 56, 57, 75, 76, 77})) << "5 + 50 and 25 + 50";
}

// c = a f over black, a f + (1 - a) over white.
TEST(Capture, WhatIsDrawnOverBlackAndWhiteHasItsColourAndItsCover) {
    struct Pixel {
        int foreground[3];
        double alpha;
    };
    const Pixel pixels[] = {{{200, 100, 50}, 1}, {{200, 100, 50}, 0.5}, {{0, 0, 0}, 0}, {{255, 255, 255}, 0.25}};
    Image black{4, 1, {}}, white{4, 1, {}};
    for (const Pixel& p : pixels)
        for (const int f : p.foreground) {
            black.rgb.push_back(std::uint8_t(std::lround(p.alpha * f)));
            white.rgb.push_back(std::uint8_t(std::lround(p.alpha * f + 255 * (1 - p.alpha))));
        }
    const Matte matte = extractMatte(black, white);
    for (std::size_t k = 0; k < 4; ++k) {
        EXPECT_NEAR(matte.rgba[4 * k + 3], 255 * pixels[k].alpha, 1) << k;
        for (std::size_t c = 0; c < 3 && pixels[k].alpha > 0; ++c)
            EXPECT_NEAR(matte.rgba[4 * k + c], pixels[k].foreground[c], 3) << k;
    }
}

}  // namespace
}  // namespace clothlab::app::render
