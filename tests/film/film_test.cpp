#include <gtest/gtest.h>

#include <filesystem>

#include "film/film.hpp"
#include "film/small_scene.hpp"
#include "frames/film_writer.hpp"
#include "simulation/simulation.hpp"

namespace clothlab::app::film {
namespace {

std::unique_ptr<simulation::Simulation> smallCloth() {
    auto simulation = simulation::Simulation::create(smallScene(), 1);
    EXPECT_TRUE(simulation) << (simulation ? "" : simulation.error().text());
    return simulation ? std::move(*simulation) : nullptr;
}

class Film : public testing::Test {
protected:
    void SetUp() override { std::filesystem::remove_all(folder_); }
    void TearDown() override { std::filesystem::remove_all(folder_); }
    FilmOptions options(const std::string& name, int steps) const {
        return {.out = folder_ / name,
                .steps = steps,
                .width = 160,
                .height = 100,
                .shaderFolder = CLOTHLAB_SOURCE_DIR "/shaders"};
    }
    std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "clothlab_film_test";
};

TEST_F(Film, AFolderGetsAPictureOfEveryNthState) {
    auto simulation = smallCloth();
    ASSERT_TRUE(simulation);
    FilmOptions wanted = options("frames", 6);
    wanted.every = 3;
    const auto summary = makeFilm(*simulation, wanted);
    ASSERT_TRUE(summary) << summary.error().text();
    EXPECT_EQ(summary->steps, 6);
    EXPECT_EQ(summary->frames, 3);  // states 0, 3 and 6
    EXPECT_TRUE(std::filesystem::exists(folder_ / "frames" / "frame_00002.png"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "frames" / "frame_00003.png"));
}

TEST_F(Film, RealTimeAtAGivenRateShowsStatesTwiceWhenNoneIsNewer) {
    auto simulation = smallCloth();
    ASSERT_TRUE(simulation);
    FilmOptions wanted = options("frames", 10);  // 0.1 s
    wanted.fps = 200;
    const auto summary = makeFilm(*simulation, wanted);
    ASSERT_TRUE(summary) << summary.error().text();
    EXPECT_EQ(summary->frames, 21);
}

TEST_F(Film, OnePictureOfTheLastState) {
    auto simulation = smallCloth();
    ASSERT_TRUE(simulation);
    const auto summary = makeFilm(*simulation, options("last.png", 2));
    ASSERT_TRUE(summary) << summary.error().text();
    EXPECT_EQ(summary->frames, 1);
    EXPECT_TRUE(std::filesystem::exists(folder_ / "last.png"));
}

TEST_F(Film, StoppedBeforeItIsWrittenItLeavesNoFolder) {
    auto simulation = smallCloth();
    ASSERT_TRUE(simulation);
    FilmOptions wanted = options("deep/last.png", 5);
    std::stop_source stop;
    stop.request_stop();
    wanted.stop = stop.get_token();
    const auto summary = makeFilm(*simulation, wanted);
    ASSERT_TRUE(summary) << summary.error().text();
    EXPECT_TRUE(summary->stopped);
    EXPECT_FALSE(std::filesystem::exists(folder_));
}

TEST(FilmKinds, FollowTheEnding) {
    EXPECT_EQ(frames::filmKind("a/b.mp4"), frames::FilmKind::Film);
    EXPECT_EQ(frames::filmKind("b.png"), frames::FilmKind::Picture);
    EXPECT_EQ(frames::filmKind("out/frames"), frames::FilmKind::Folder);
}

}  // namespace
}  // namespace clothlab::app::film
