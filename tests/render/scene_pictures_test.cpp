#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>

#include "render/gl/capture.hpp"
#include "scene/scene.hpp"

// Each built-in scene has a picture for the gallery, and the list says how each was made.
namespace clothlab::app::render {
namespace {

namespace fs = std::filesystem;

constexpr const char* kAssets = CLOTHLAB_SOURCE_DIR "/assets";
const fs::path kPictures = fs::path(kAssets) / "pictures";

/// Names in pictures.txt.
std::set<std::string> listed() {
    std::set<std::string> names;
    std::ifstream list(kPictures / "pictures.txt");
    for (std::string line; std::getline(list, line);) {
        std::istringstream words(line);
        std::string name, scene;
        int step = -1;
        if (!(words >> name) || name.starts_with("#")) continue;
        EXPECT_TRUE(words >> scene >> step && step >= 0) << line;
        EXPECT_TRUE(scene::findScene(scene, kAssets)) << line;
        EXPECT_TRUE(names.insert(name).second) << name << " appears twice";
    }
    return names;
}

TEST(ScenePictures, EachBuiltInSceneHasASmallOne) {
    const std::set<std::string> names = listed();
    for (const std::string& scene : scene::builtInScenes(kAssets))
        EXPECT_TRUE(names.contains("scenes/" + scene))
            << "add it to assets/pictures/pictures.txt, and run scripts/pictures --gallery scenes/" << scene;
    for (const std::string& name : names) {
        const auto image = readPng((kPictures / (name + ".png")).string());
        ASSERT_TRUE(image) << image.error().text() << "; run scripts/pictures --gallery " << name;
        EXPECT_EQ(image->width, 320) << name;
        EXPECT_EQ(image->height, 180) << name;
        std::uint8_t least = 255, most = 0;
        for (const std::uint8_t byte : image->rgb) least = std::min(least, byte), most = std::max(most, byte);
        EXPECT_GT(most - least, 80) << name << " shows nothing";
    }
}

double brightness(const Image& image) {
    return std::accumulate(image.rgb.begin(), image.rgb.end(), 0.0) / double(image.rgb.size());
}

// The gallery shows these in the light theme.
TEST(ScenePictures, ALightOneIsOfTheSameSizeAndLighter) {
    for (const std::string& name : listed()) {
        const auto light = readPng((kPictures / (name + "-light.png")).string()),
                   dark = readPng((kPictures / (name + ".png")).string());
        ASSERT_TRUE(light && dark) << name;
        EXPECT_EQ(light->width, dark->width) << name;
        EXPECT_EQ(light->height, dark->height) << name;
        EXPECT_GT(brightness(*light), brightness(*dark) + 30) << name;
    }
}

TEST(ScenePictures, NoneIsLeftOverAndAllTogetherAreSmall) {
    const std::set<std::string> names = listed();
    std::uintmax_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(kPictures)) {
        if (entry.path().extension() != ".png") continue;
        bytes += entry.file_size();
        const std::string name = fs::relative(entry.path(), kPictures).replace_extension().generic_string();
        const std::string dark = name.ends_with("-light") ? name.substr(0, name.size() - 6) : name;
        EXPECT_TRUE(names.contains(dark)) << name << " is not in pictures.txt";
    }
    EXPECT_LT(bytes, 4'000'000u);
}

TEST(Png, WhatIsWrittenReadsBackAndWhatIsNoPictureSaysSo) {
    const std::string file = ::testing::TempDir() + "clothlab-read-png.png";
    Image image{3, 2, {}};
    for (int k = 0; k < 18; ++k) image.rgb.push_back(std::uint8_t(14 * k));
    ASSERT_TRUE(writePng(file, image, {}));
    const auto back = readPng(file);
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(back->width, 3);
    EXPECT_EQ(back->height, 2);
    EXPECT_EQ(back->rgb, image.rgb);

    std::ifstream whole(file, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(whole)), {});
    const auto wordsFor = [&](const std::string& content) {
        std::ofstream(file, std::ios::binary) << content;
        const auto read = readPng(file);
        return read ? std::string() : read.error().text();
    };
    EXPECT_NE(wordsFor("P6 1 1 255 abc").find("no PNG"), std::string::npos);
    EXPECT_NE(wordsFor("").find("no PNG"), std::string::npos);
    EXPECT_NE(wordsFor(bytes.substr(0, bytes.size() / 2)), "");
    std::string huge = bytes;
    huge[18] = '\x7f';  // a byte of the width
    EXPECT_NE(wordsFor(huge).find("too large"), std::string::npos);
    fs::remove(file);
    EXPECT_FALSE(readPng(file)) << "it is missing";
}

}  // namespace
}  // namespace clothlab::app::render
