#include "window/film_taker.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "frames/film_file.hpp"
#include "scratch_folder.hpp"

namespace clothlab::app::window {
namespace {

using worker::Snapshot;

/// A model with its posted commands, and a simulation that only counts steps.
class FilmTakerTest : public ::testing::Test {
protected:
    void SetUp() override {
        std::filesystem::current_path(folder.path());
        auto mesh = std::make_shared<worker::MeshTopology>();
        mesh->sceneName = "sheet";
        mesh->revision = 3;
        now.mesh = mesh;
        now.settings.integrator.dt = 0.02;
        now.step = 7;
        model.playing = true;
        model.pictureSettings.steps = 5;
    }
    void TearDown() override { std::filesystem::current_path(before); }
    /// Draws one frame. The simulation makes a requested step two frames later.
    void frame() {
        const bool stepAsked = std::ranges::any_of(
            model.editor.outbox, [](const worker::Command& c) { return std::holds_alternative<worker::StepOnce>(c); });
        model.editor.outbox.clear();
        now.playing = false;
        if (stepAsked) waiting = 2;
        if (waiting > 0 && --waiting == 0) ++now.step;
        taker.update(model, now, waiting == 0, {}, [&]() -> Expected<render::Image> {
            ++pictures;
            if (width == 0) return fail("a panel leaves the cloth no room");
            return render::Image{width, 48,
                                 std::vector<std::uint8_t>(std::size_t(3) * width * 48, std::uint8_t(40 * now.step))};
        });
    }
    void untilEnd() {
        for (int k = 0; k < 200 && taker.running(); ++k) frame();
        ASSERT_FALSE(taker.running());
    }

    tests::ScratchFolder folder;
    std::filesystem::path before = std::filesystem::current_path();
    model::UiModel model;
    Snapshot now;
    FilmTaker taker;
    int waiting = 0, pictures = 0, width = 64;
};

TEST_F(FilmTakerTest, HasAFrameOfEveryStepThoughStepsTakeLongerThanFrames) {
    for (const auto& [format, count] : {std::pair{model::FilmFormat::Mp4, &frames::filmFrames},
                                        std::pair{model::FilmFormat::Gif, &frames::gifFrames}}) {
        now.step = 7;
        model.pictureSettings.format = format;
        model.film.turned = true;
        frame();
        ASSERT_TRUE(taker.running()) << model.said.text;
        EXPECT_FALSE(model.playing) << "the film takes the steps";
        untilEnd();
        EXPECT_EQ(now.step, 12);
        EXPECT_EQ(model.film.frames, 5);
        const std::string file = std::string("clothlab-sheet-7.") + std::string(enumKey(format));
        const auto frames = count(folder.file(file));
        ASSERT_TRUE(frames) << frames.error().text();
        EXPECT_EQ(*frames, 5);
        EXPECT_NE(model.said.text.find("5 frames"), std::string::npos) << model.said.text;
    }
}

TEST_F(FilmTakerTest, EndsWithWhatThereIsAndSaysWhy) {
    const auto begin = [&] {
        model.film.turned = true;
        for (int k = 0; k < 9; ++k) frame();
        ASSERT_TRUE(taker.running());
        ASSERT_GT(model.film.frames, 1);
        ASSERT_LT(model.film.frames, 5);
    };
    begin();
    model.film.turned = true;
    frame();
    EXPECT_FALSE(taker.running());
    EXPECT_TRUE(frames::filmFrames(folder.file("clothlab-sheet-7.mp4")));
    now.step = 20;
    begin();
    width = 70;
    untilEnd();
    EXPECT_NE(model.said.text.find("another size"), std::string::npos) << model.said.text;
    width = 64;
    now.step = 40;
    begin();
    now.step = 3;  // the user scrubs
    untilEnd();
    EXPECT_NE(model.said.text.find("by hand"), std::string::npos) << model.said.text;
}

TEST_F(FilmTakerTest, WithoutRoomForTheClothThereIsNoFilmFromTheStart) {
    width = 0;
    model.film.turned = true;
    frame();
    EXPECT_FALSE(taker.running());
    EXPECT_TRUE(model.said.isError);
    EXPECT_TRUE(model.playing) << "the motion was not stopped";
    width = 64;
    model.panel = model::Panel::SlowMotion;
    model.film.turned = true;
    frame();
    EXPECT_FALSE(taker.running()) << "the iterates of slow motion would not move";
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST_F(FilmTakerTest, OneThatIsBrokenOffLeavesNothing) {
    model.film.turned = true;
    for (int k = 0; k < 9; ++k) frame();
    ASSERT_TRUE(taker.running());
    taker = {};  // the window closes
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

}  // namespace
}  // namespace clothlab::app::window
