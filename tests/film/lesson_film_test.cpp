#include "film/lesson_film.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "film/lesson_plot.hpp"
#include "lessons/lesson_run.hpp"
#include "preconditioners/kind.hpp"
#include "render/gl/capture.hpp"
#include "simulation/session.hpp"
#include "stb_image.h"
#include "widgets/imgui_fixture.hpp"

namespace clothlab::app::film {
namespace {

const std::string kAssets = CLOTHLAB_SOURCE_DIR "/assets";

lessons::Lesson lesson(const std::string& name) {
    auto found = lessons::findLesson(name, kAssets);
    EXPECT_TRUE(found) << found.error().text();
    return std::move(*found);
}

TEST(LessonFilm, PartsTakeAMinuteAtMostAndTimeToRead) {
    std::vector<Error> broken;
    for (const lessons::Lesson& one : lessons::readableLessons(kAssets, broken)) {
        const auto times = partTimes(one, kAssets, 60);
        ASSERT_TRUE(times) << one.name;
        double all = 0;
        for (const PartTimes& part : *times) all += part.all();
        EXPECT_LE(all, 60.001) << one.name;
        EXPECT_GT(all, 15) << one.name;
        for (const PartTimes& part : *times) EXPECT_GT(part.after, 1.5) << one.name << ": too short to read its claims";
    }
    EXPECT_TRUE(broken.empty());
}

// A run reports each state, including that before the first step.
TEST(LessonFilm, ARunTellsOfEachState) {
    const lessons::Lesson one = lesson("one-mass");
    std::vector<std::pair<std::size_t, std::size_t>> told;
    lessons::RunControl control{.threads = 1};
    control.onState = [&](std::size_t part, const simulation::Session& session, const lessons::Facts& facts) {
        told.emplace_back(part, facts.reports.size());
        EXPECT_TRUE(session.loaded());
    };
    ASSERT_TRUE(lessons::runLesson(one, kAssets, control));
    ASSERT_GE(told.size(), 102u);
    EXPECT_EQ(told[0], std::pair(std::size_t(0), std::size_t(0)));
    EXPECT_EQ(told[101], std::pair(std::size_t(0), std::size_t(101)));
    EXPECT_EQ(told[102], std::pair(std::size_t(1), std::size_t(0)));
}

TEST(LessonFilm, IsDrawnWithItsWordsItsClothAndItsPlot) {
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "lesson_film";
    std::filesystem::remove_all(folder);
    const lessons::Lesson one = lesson("one-mass");
    const auto film = makeLessonFilm(one, {.out = folder.string(),
                                           .assets = kAssets,
                                           .seconds = 4,
                                           .fps = 10,
                                           .width = 480,
                                           .height = 270,
                                           .threads = 1,
                                           .shaderFolder = CLOTHLAB_SOURCE_DIR "/shaders"});
    ASSERT_TRUE(film) << film.error().text();
    EXPECT_GT(film->frames, 5);
    EXPECT_LE(film->frames, 40);
    EXPECT_EQ(film->claims, film->holding);
    EXPECT_GT(film->claims, 8);
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry.path().string());
    std::ranges::sort(names);
    ASSERT_EQ(int(names.size()), film->frames);
    int width = 0, height = 0, channels = 0;
    unsigned char* pixels = stbi_load(names.back().c_str(), &width, &height, &channels, 3);
    ASSERT_NE(pixels, nullptr);
    EXPECT_EQ(std::pair(width, height), std::pair(480, 270));
    // Each of the three regions has bright pixels on its dark ground.
    const auto bright = [&](int x0, int y0, int x1, int y1) {
        int count = 0;
        for (int y = y0; y < y1; ++y)
            for (int x = x0; x < x1; ++x) count += pixels[3 * (y * width + x) + 1] > 120;
        return count;
    };
    EXPECT_GT(bright(0, 0, 172, 270), 400) << "words";
    EXPECT_GT(bright(180, 20, 480, 165), 100) << "cloth";
    EXPECT_GT(bright(180, 176, 480, 270), 50) << "plot";
    stbi_image_free(pixels);
    std::filesystem::remove_all(folder);
}

class LessonPlotTest : public widgets::ImGuiTest {};

TEST_F(LessonPlotTest, IsOfWhatThePartIsAboutAndOfItsRace) {
    lessons::Lesson one;
    one.steps.resize(2);
    one.steps[0].steps = one.steps[1].steps = 3;
    const auto check = [](const lessons::Quantity& q) { return lessons::checkQuantity(q, 2); };
    one.steps[1].claims.push_back(*lessons::Claim::parse("mean(iterations) < 0.5 * step1.mean(iterations)", check));
    std::vector<lessons::Facts> facts(2);
    for (lessons::Facts& part : facts) part.reports.resize(3);
    LessonPlot plot(one, 1);
    widgets::LayoutMap layout;
    const auto drawn = [&] {
        plotFrame([&] { plot.draw(facts, {}, {400, 300}, theme_, layout); });
        return std::vector<std::string>(plot.names().begin(), plot.names().end());
    };
    EXPECT_EQ(drawn(), (std::vector<std::string>{"part 2", "part 1"})) << "the claim compares these parts";
    EXPECT_EQ(plot.title(), "Iterations per step");
    one.steps[1].plot = "energy";
    EXPECT_EQ(drawn().size(), 4u);
    EXPECT_EQ(plot.title(), "Energy");
    one.steps[1].plot.clear();
    experiments::RaceResult& race = facts.back().race;
    race.field.resize(2);
    race.field[0].method.preconditioner.kind = preconditioners::PreconditionerKind::IncompleteCholesky;
    race.rows.resize(2);
    for (std::size_t k = 0; k < 2; ++k) {
        race.rows[k].contestant = k;
        race.rows[k].residuals = {1.0f, 0.1f, 0.001f};
    }
    EXPECT_EQ(drawn().size(), 2u);
    EXPECT_EQ(plot.names().front(), race.field[0].label());
}

}  // namespace
}  // namespace clothlab::app::film
