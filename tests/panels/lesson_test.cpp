#include <algorithm>
#include <filesystem>
#include <fstream>

#include "lessons/lesson_run.hpp"
#include "lessons/plots.hpp"
#include "live_fixture.hpp"
#include "panels/plots/motion_plots.hpp"
#include "simulation/report_columns.hpp"

/// Lessons in the window, with a running simulation.
namespace clothlab::app::panels {

using actions::findAction;
using actions::runAction;
using model::LessonGuide;
using model::MotionPlot;
using model::MotionPlotEntry;
using model::motionPlots;
using model::Panel;

namespace {

using widgets::Key;

constexpr const char* kText = R"md(+++
title = "A try"
group = "Tests"
scene = "hang"
controls = ["material.stretch_stiffness", "solver.kind"]
[settings]
"cloth.rows" = 9
"cloth.columns" = 9
"preconditioner.kind" = "jacobi"
+++

## Soft
Soft, and **bold**.
```toml
set = { "material.stretch_stiffness" = 60 }
overlay = "strain"
steps = 8
point = "material.stretch_stiffness"
claim = ["mean(iterations) > 1", "steps() == 8"]
```

## Stiff
Beside it goes a ghost that stays soft.
```toml
branch = true
set = { "material.stretch_stiffness" = 60000 }
pin = [[-1, 0]]
steps = 9
claim = ["mean(iterations) > step1.mean(iterations)", "distance() > 0", "ghost.last(max_strain) > 0",
         "last(ndof_counts.0) == 3"]
```

## Race
The two race on this very step.
```toml
steps = 2
race = ["jacobi", "cholesky"]
claim = ["race(\"jacobi\", iterations) > 5", "race(\"cholesky\", converged) == 1", "1 > 2"]
```
)md";

class LessonTest : public LivePanelTest {
protected:
    void SetUp() override {
        LivePanelTest::SetUp();
        model.lessons.assets = CLOTHLAB_SOURCE_DIR "/assets";
        const auto path = std::filesystem::path(::testing::TempDir()) / "window-try.md";
        std::ofstream(path) << kText;
        auto read = lessons::readLesson(path.string(), model.lessons.assets);
        ASSERT_TRUE(read) << read.error().text();
        lesson = std::move(*read);
    }
    /// Waits until the claims of the current step can be judged.
    void reach() {
        const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
        do {
            settle();
            ASSERT_LT(std::chrono::steady_clock::now(), limit);
        } while (model.lessons.phase() != LessonGuide::Phase::Reached);
        settle();
    }
    std::vector<std::string> claims() {
        std::vector<std::string> words;
        for (const lessons::Claim& claim : model.lessons.step().claims)
            words.push_back(claim.filledIn(model.lessons.lookup()));
        return words;
    }

    lessons::Lesson lesson;
};

/// The window computes the same numbers as the command, to all digits shown.
TEST_F(LessonTest, ComesToTheNumbersOfTheCommandLine) {
    const auto facts = lessons::runLesson(lesson, model.lessons.assets, {.threads = 1});
    ASSERT_TRUE(facts) << facts.error().text();
    model.lessons.start(model, lesson);
    for (std::size_t k = 0; k < lesson.steps.size(); ++k) {
        reach();
        ASSERT_EQ(model.lessons.index(), k);
        const auto shown = claims();
        for (std::size_t c = 0; c < shown.size(); ++c)
            EXPECT_EQ(shown[c], lesson.steps[k].claims[c].filledIn(lessons::lookupAt(*facts, k)));
        if (k + 1 < lesson.steps.size()) press(Key::PageDown);
    }
    EXPECT_TRUE(model.isOpen(Panel::Race));
    EXPECT_EQ(ui->layout().wordsAt("lesson/claim/2"), "does not hold: 1: more than 2");
    EXPECT_FALSE(now().playing) << "a race stops at its step";
    // Going back repeats the earlier steps and gives the same numbers.
    press(Key::PageUp);
    reach();
    EXPECT_EQ(model.lessons.index(), 1u);
    EXPECT_EQ(claims()[0], lesson.steps[1].claims[0].filledIn(lessons::lookupAt(*facts, 1)));
}

TEST_F(LessonTest, LeavesSceneSettingsAndMotionAsTheyWere) {
    steps(5);
    model.settings.material.stretchStiffness = 777;
    settle();
    model.looks.overlay = scene::OverlayKind::Velocity;
    steps(2);
    const std::uint64_t before = hash();
    const scene::Settings settings = model.settings;
    model.lessons.start(model, lesson);
    reach();
    EXPECT_EQ(model.settings.material.stretchStiffness, 60);
    EXPECT_EQ(model.looks.overlay, scene::OverlayKind::Strain);
    press(Key::PageDown);
    reach();
    EXPECT_TRUE(now().ghost.present);
    click(at("lesson/end"));
    settle();
    EXPECT_FALSE(model.lessons.isOn());
    EXPECT_EQ(hash(), before);
    EXPECT_EQ(now().step, 7);
    EXPECT_TRUE(model.settings == settings);
    EXPECT_EQ(model.looks.overlay, scene::OverlayKind::Velocity);
    EXPECT_FALSE(now().ghost.present);
    model.settings.material.stretchStiffness = 778;
    settle();
    pressControl(Key::Z);
    EXPECT_EQ(model.settings.material.stretchStiffness, 777) << "the user's own changes can be undone again";
}

/// The plot that a text is about is framed in the column, and is large in presenter mode.
TEST_F(LessonTest, TheBuiltInLessonsPointAtPlotsThatThereAre) {
    std::size_t named = 0;
    for (const lessons::Lesson& one : model.lessons.all())
        for (const lessons::LessonStep& step : one.steps) {
            const std::string_view plot = lessons::plotAt(one, std::size_t(&step - one.steps.data()));
            EXPECT_FALSE(one.plot.empty()) << one.name << " has no plot";
            named += !plot.empty();
            const auto panel = std::ranges::find(model::panelTable(), plot, &model::PanelEntry::key);
            EXPECT_TRUE(plot.empty() || std::ranges::count(motionPlots(), plot, &MotionPlotEntry::key) == 1 ||
                        simulation::findColumn(plot) || panel != model::panelTable().end())
                << one.name << ": " << plot;
        }
    EXPECT_GT(named, 80u);
    lesson.steps[0].plot = "energy";
    model.looks.presenter = true;
    model.lessons.start(model, lesson);
    reach();
    EXPECT_TRUE(model.isOpen(Panel::Plots));
    EXPECT_EQ(model.looks.largePlot, MotionPlot::Energy);
    lesson.steps[0].plot = "ic_shift";
    model.lessons.start(model, lesson);
    reach();
    EXPECT_EQ(simulation::kReportColumns[model.looks.alsoPlot].key, "ic_shift");
    EXPECT_NE(ui->layout().find("plot.also"), nullptr);
    EXPECT_TRUE(model.lessons.end(model));
    EXPECT_EQ(model.looks.alsoPlot, -1) << "the user's own choice";
}

// A lesson about iterations once had its methods sorted by milliseconds that were nearly equal.
TEST_F(LessonTest, ARaceIsSortedByIterationsAndLeavesTimesOut) {
    lesson.steps.resize(1);
    lesson.steps[0].race = {"block-jacobi", "jacobi", "incomplete-cholesky"};
    lesson.steps[0].raceTolerance = 1e-5;
    for (const bool presenter : {false, true}) {
        model.looks.presenter = presenter;
        model.lessons.start(model, lesson);
        reach();
        ASSERT_TRUE(model.isOpen(Panel::Race));
        frames(3);
        const auto& layout = ui->layout();
        for (const char* gone :
             {"race/column/total", "race/column/set-up", "race/column/cold", "race.time", "race/busy", "race/live"})
            EXPECT_EQ(layout.find(gone), nullptr) << gone;
        EXPECT_NE(layout.find("race/column/rank"), nullptr);
        struct Row {
            int iterations;
            float y;
            std::string rank;
        };
        std::vector<Row> rows;
        for (const experiments::RaceRow& row : model.race()->result.rows) {
            std::string key = "race/row/reduced-pcg+" + model.race()->result.field[row.contestant].methodText();
            rows.push_back({row.iterations, at(key).y, layout.wordsAt(key + "/rank")});
        }
        ASSERT_EQ(rows.size(), 3u);
        std::ranges::sort(rows, {}, &Row::y);
        EXPECT_LT(rows[0].iterations, rows[1].iterations);
        EXPECT_LE(rows[1].iterations, rows[2].iterations);
        EXPECT_EQ(rows[0].rank, "1");
        EXPECT_EQ(rows[1].rank, rows[1].iterations == rows[2].iterations ? "2-3" : "2");
        click(at("race/start"));
        ASSERT_NE(posted<worker::StartRace>(), nullptr);
        EXPECT_EQ(posted<worker::StartRace>()->options.names, lesson.steps[0].race) << "only the methods of the lesson";
        EXPECT_EQ(posted<worker::StartRace>()->options.tolerances, std::vector{1e-5});
        settle();
    }
    EXPECT_TRUE(model.lessons.end(model));
    EXPECT_TRUE(raceWanted(model).options.names.empty()) << "the user's own races have all methods";
}

TEST_F(LessonTest, ShowsTextControlsAndClaimsAndFoldsTheRest) {
    model.lessons.start(model, lesson);
    reach();
    const auto& layout = ui->layout();
    EXPECT_EQ(layout.wordsAt("lesson"), "A try");
    EXPECT_EQ(layout.wordsAt("lesson/step"), "1 of 3: Soft");
    EXPECT_NE(layout.find("material.stretch_stiffness"), nullptr);
    EXPECT_NE(layout.find("solver.kind"), nullptr);
    EXPECT_EQ(layout.find("integrator.kind"), nullptr) << "the rest is folded";
    EXPECT_TRUE(layout.wordsAt("lesson/claim/0").starts_with("holds: mean iterations: "));
    EXPECT_EQ(layout.wordsAt("lesson/claim/1"), "holds: steps taken: 8, exactly 8");
    click(at("lesson.controls"));
    frames(2);
    EXPECT_NE(ui->layout().find("integrator.kind"), nullptr);
    EXPECT_FALSE(runAction(model, "lesson.back").empty()) << "this is the first step";
}

/// At 1280 x 720, with a text longer than the column.
TEST_F(LessonTest, ForARoomClaimsAndOnePlotStayInSightAndItStopsAtTheClaim) {
    ImGui::GetIO().DisplaySize = {1280, 720};
    for (int k = 0; k < 40; ++k) lesson.steps[0].text += " And one more sentence, too long for the page.";
    lesson.plot = "iterations";
    lesson.steps.resize(1);  // no step follows
    model.lessons.start(model, lesson);
    press(Key::Tab);
    ASSERT_TRUE(model.looks.presenter);
    reach();
    frames(4);
    EXPECT_FALSE(now().playing);
    EXPECT_EQ(now().step, 8) << "where the claim is made";
    EXPECT_TRUE(model.isOpen(Panel::Plots));
    EXPECT_EQ(model.looks.largePlot, MotionPlot::Iterations);
    for (const char* id : {"lesson/claim/0", "lesson/claim/1", "lesson/next", "lesson/end", "plot.iterations"}) {
        const auto* rect = ui->layout().find(id);
        ASSERT_NE(rect, nullptr) << id;
        EXPECT_LE(rect->max.y, 720) << id;
        EXPECT_NEAR(rect->visible().max.y - rect->visible().min.y, rect->max.y - rect->min.y, 1) << id;
    }
    for (const char* id : {"solver.kind", "overlay"}) EXPECT_EQ(ui->layout().find(id), nullptr) << id << " is folded";
    model.closePanel();
    frames(2);
    EXPECT_NE(ui->layout().find("solver.kind"), nullptr) << "only the row of its control is shown";
    EXPECT_EQ(ui->layout().find("overlay"), nullptr);
    click(at("lesson/end"));
    settle();
    EXPECT_FALSE(model.lessons.isOn());
}

TEST_F(LessonTest, ARaceDoesNotTakeThePlaceOfThePlotThatAStepIsAbout) {
    lesson.steps.erase(lesson.steps.begin(), lesson.steps.begin() + 2);
    lesson.steps[0].plot = "energy";
    model.looks.presenter = true;
    model.lessons.start(model, lesson);
    reach();
    EXPECT_TRUE(model.isOpen(Panel::Plots));
    EXPECT_EQ(claims().size(), 3u) << "the step was run";
    lesson.steps[0].plot = "race";
    model.lessons.start(model, lesson);
    reach();
    EXPECT_TRUE(model.isOpen(Panel::Race));
}

TEST_F(LessonTest, IsChosenFromTheGallery) {
    press(Key::E);
    frames(3);
    ASSERT_TRUE(model.isOpen(Panel::Lessons));
    EXPECT_EQ(model.lessons.problem(), "");
    const auto files = std::filesystem::directory_iterator(CLOTHLAB_SOURCE_DIR "/assets/lessons");
    const auto isLesson = [](const auto& file) { return file.path().extension() == ".md"; };
    EXPECT_EQ(std::ptrdiff_t(model.lessons.all().size()), std::count_if(begin(files), end(files), isLesson));
    const lessons::Lesson& first = model.lessons.all().front();
    click(at("lessons/" + first.name));
    settle();
    ASSERT_TRUE(model.lessons.isOn());
    EXPECT_EQ(model.lessons.lesson().name, first.name);
    EXPECT_FALSE(model.panelOpen());
}

/// Every action that a lesson names exists.
TEST_F(LessonTest, NamesActionsOfTheRegister) {
    for (const lessons::Lesson& one : model.lessons.all())
        for (const lessons::LessonStep& step : one.steps)
            for (const std::string& action : step.actions) EXPECT_NE(findAction(action), nullptr) << one.name << action;
}

}  // namespace
}  // namespace clothlab::app::panels
