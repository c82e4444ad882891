#include "render/capture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace clothlab::app::render {
namespace {

TEST(Capture, WritesAPngOfTheRightSize) {
    const auto path = (std::filesystem::temp_directory_path() / "clothlab_capture_test.png").string();
    const auto written = writePng(path, {3, 2, std::vector<std::uint8_t>(18, 77)}, {});
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
    EXPECT_FALSE(writePng("/no/such/folder/a.png", {1, 1, {1, 2, 3}}, {}));
}

}  // namespace
}  // namespace clothlab::app::render
