#include "actions/figure_caption.hpp"
#include "base/text.hpp"
#include "panel_fixture.hpp"
#include "panels/plots/plot_window.hpp"

// Plots in the whole window, used with mouse and keys.
namespace clothlab::app::panels {

using model::MotionPlot;
using model::Panel;

namespace {

using widgets::Key;
using widgets::PlotRange;
using window::InputEvent;

class PlotPanelTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        addReports(200);
        snapshot.step = snapshot.historyLast = 200;
        model.receive(snapshot, true);
        model.looks.largePlot = MotionPlot::Stages;
        press(Key::V);
        frames(3);
        ASSERT_TRUE(model.isOpen(Panel::Plots));
    }
    void wheel(ImVec2 p, float notches) {
        moveTo(p);
        queue.push(InputEvent::wheel(0, notches));
        drain();
    }
    void drag(ImVec2 from, ImVec2 to) {
        frames(40);  // long enough not to be a double click
        queue.push(InputEvent::move(from.x, from.y));
        queue.push(InputEvent::button(0, true));
        drain();
        for (const float along : {0.5f, 1.0f}) moveTo({from.x + along * (to.x - from.x), from.y});
        queue.push(InputEvent::button(0, false));
        drain();
    }
    void doubleClick(ImVec2 p) {
        frames(40);
        for (int k = 0; k < 2; ++k) {
            queue.push(InputEvent::move(p.x, p.y));
            queue.push(InputEvent::button(0, true));
            queue.push(InputEvent::button(0, false));
        }
        drain();
    }
    void chooseFromMenu(std::string_view plot, std::string_view entry) {
        const ImVec2 p = at(plot);
        queue.push(InputEvent::move(p.x, p.y));
        queue.push(InputEvent::button(1, true));
        queue.push(InputEvent::button(1, false));
        drain();
        frames(3);
        click(at(std::string(plot) + "/menu/" + std::string(entry)));
        frames(3);
    }
    std::optional<PlotRange> steps() const { return model.plotViews.shown("steps"); }
    static std::string clipboard() { return ImGui::GetClipboardText(); }
};

TEST_F(PlotPanelTest, TheWheelZoomsADragPansAndADoubleClickShowsAll) {
    ASSERT_FALSE(steps());
    wheel(at("plot.stages"), 4);
    ASSERT_TRUE(steps());
    const PlotRange zoomed = *steps();
    EXPECT_LT(zoomed.max - zoomed.min, 200);
    drag(at("plot.stages", 0.5f), at("plot.stages", 0.7f));
    ASSERT_TRUE(steps());
    EXPECT_LT(steps()->min, zoomed.min) << "earlier steps come into view";
    EXPECT_NEAR(steps()->max - steps()->min, zoomed.max - zoomed.min, 1e-6);
    doubleClick(at("plot.stages"));
    EXPECT_FALSE(steps());
}

TEST_F(PlotPanelTest, ANameOfTheLegendHidesItsCurveAndTheCopyIsOfWhatIsShown) {
    chooseFromMenu("plot.stages", "copy");
    EXPECT_TRUE(clipboard().starts_with("# Scene hang, step ")) << clipboard().substr(0, 80);
    EXPECT_NE(clipboard().find("\n# Times: "), std::string::npos) << "times name their machine";
    EXPECT_NE(clipboard().find("\nstep,\"contact, ms\",\"assemble, ms\""), std::string::npos)
        << clipboard().substr(0, 300);
    const auto lines = [] {
        const std::string text = clipboard();
        return std::ranges::count(text, '\n') - std::ranges::count(text, '#');
    };
    EXPECT_EQ(lines(), 201);
    click(at("plot.stages/legend/contact"));
    wheel(at("plot.stages"), 4);
    chooseFromMenu("plot.stages", "copy");
    EXPECT_NE(clipboard().find("\nstep,\"assemble, ms\""), std::string::npos) << clipboard().substr(0, 300);
    EXPECT_LT(lines(), 150);
    chooseFromMenu("plot.stages", "all");
    EXPECT_FALSE(steps());
}

TEST_F(PlotPanelTest, TheMenuAsksForFilesOfEachKind) {
    for (const char* kind : {"csv", "svg", "png", "png-large"}) {
        chooseFromMenu("plot.stages", kind);
        std::optional<widgets::PlotFile> file;
        for (int k = 0; k < 10 && !file; ++k) {
            file = model.plotViews.takeAsked();
            frame();
        }
        ASSERT_TRUE(file) << kind;
        EXPECT_EQ(file->name, "stages");
        EXPECT_EQ(file->ending, "." + std::string(kind).substr(0, 3));
        EXPECT_EQ(file->text.empty(), file->ending == ".png");
        EXPECT_EQ(file->figure != nullptr, file->ending == ".png");
        if (file->ending == ".svg") {
            EXPECT_NE(file->text.find("Time per step"), std::string::npos);
            EXPECT_NE(file->text.find(">Scene hang, step "), std::string::npos) << "its caption";
        }
        if (file->figure) {
            EXPECT_EQ(file->scale, std::string(kind) == "png" ? 2 : 4);
        }
    }
}

TEST_F(PlotPanelTest, ACaptionHasWhatDiffersFromTheScenesFile) {
    model.lessons.assets = CLOTHLAB_SOURCE_DIR "/assets";
    const auto caption = [&] {
        std::string text;
        for (const std::string& line : actions::figureCaption(model, false)) text += line + "\n";
        return text;
    };
    const auto file = scene::findScene(model.scene.name, CLOTHLAB_SOURCE_DIR "/assets");
    ASSERT_TRUE(file);
    model.activePatch = file->cloths.front();
    snapshot.settings = file->settings;
    snapshot.madeWith = nullptr;
    EXPECT_NE(caption().find("Settings as in the scene's file."), std::string::npos) << caption();
    snapshot.settings.integrator.dt = 2 * file->settings.integrator.dt;
    EXPECT_NE(caption().find("file: time step 20 ms (file: 10 ms)."), std::string::npos) << caption();
    EXPECT_EQ(caption().find("on the way"), std::string::npos);
    snapshot.plain = false;
    EXPECT_NE(caption().find("The motion was changed on the way"), std::string::npos) << caption();
}

TEST_F(PlotPanelTest, WithoutALinearSolveItsPlotsAreALineAndLeaveTheirRoomToTheOthers) {
    const auto height = [&](const char* id) { return at(id, 0.5f, 1).y - at(id, 0.5f, 0).y; };
    const float energy = height("plot.energy"), residual = height("plot.residual");
    model.settings.integrator.kind = snapshot.settings.integrator.kind = integrators::IntegratorKind::SymplecticEuler;
    snapshot.report.methods = {};
    snapshot.report.methods.integrator = integrators::IntegratorKind::SymplecticEuler;
    snapshot.residualHistory.clear();
    model.history.clear();
    worker::ReportEntry entry;
    entry.report = snapshot.report;
    entry.report.iterations = entry.report.linearIterations = 0;
    model.history.push(entry);
    frames(3);
    EXPECT_LT(height("plot.residual"), 0.5f * residual);
    EXPECT_GT(height("plot.energy"), energy);
    for (const char* id : {"plot.residual", "plot.iterations"})
        EXPECT_EQ(ui->layout().wordsAt(id), "An explicit integrator solves no system.") << id;
}

/// Reports, each with the settings of its step.
class PlotNotesTest : public PanelTest {
protected:
    void take(std::int64_t step, double stiffness) {
        if (!settings || settings->material.stretchStiffness != stiffness) {
            scene::Settings next;
            next.material.stretchStiffness = stiffness;
            settings = std::make_shared<const scene::Settings>(next);
        }
        worker::ReportEntry entry;
        entry.report.step = step;
        entry.report.kineticJ = 1;
        entry.settings = settings;
        model.history.push(entry);
    }
    std::shared_ptr<const scene::Settings> settings;
};

TEST_F(PlotNotesTest, AChangeIsMarkedAtItsStepWithWhatWasChanged) {
    for (int k = 1; k <= 50; ++k) take(k, 1000);
    EXPECT_TRUE(model.history.notes().empty());
    for (int k = 51; k <= 100; ++k) take(k, 6000);
    ASSERT_EQ(model.history.notes().size(), 1u);
    EXPECT_EQ(model.history.notes()[0].from, 51);
    EXPECT_EQ(model.history.notes()[0].words, "stretch stiffness 1,000 → 6,000 N/m");
    snapshot.step = snapshot.historyLast = 100;
    model.receive(snapshot, true);
    frames(3);
    const ImVec2 mark = at("plot.energy.note/0");
    EXPECT_EQ(ui->layout().wordsAt("plot.energy.note/0"), "stretch stiffness 1,000 → 6,000 N/m");
    moveTo({mark.x, at("plot.energy").y});
    frames(2);
    EXPECT_EQ(ui->layout().wordsAt("plot.energy.note"), "changed: stretch stiffness 1,000 → 6,000 N/m");
}

TEST_F(PlotNotesTest, ASliderThatIsDraggedIsOneChange) {
    for (int k = 1; k <= 50; ++k) take(k, 1000);
    for (int k = 51; k <= 60; ++k) take(k, 1000 + 100 * (k - 50));
    for (int k = 61; k <= 70; ++k) take(k, 2000);
    ASSERT_EQ(model.history.notes().size(), 1u);
    EXPECT_EQ(model.history.notes()[0].from, 51);
    EXPECT_EQ(model.history.notes()[0].to, 60);
    EXPECT_EQ(model.history.notes()[0].words, "stretch stiffness 1,000 → 2,000 N/m");
    take(71, 1000);  // another drag
    ASSERT_EQ(model.history.notes().size(), 2u);
    EXPECT_EQ(model.history.notes()[1].words, "stretch stiffness 2,000 → 1,000 N/m");
    take(72, 1200);
    take(73, 2000);
    ASSERT_EQ(model.history.notes().size(), 2u);
    EXPECT_EQ(model.history.notes()[1].words, "a setting, and back again") << "its mark stays";
}

TEST_F(PlotNotesTest, StepsThatAreTakenAgainHaveTheNotesOfTheNewOnes) {
    for (int k = 1; k <= 50; ++k) take(k, 1000);
    for (int k = 51; k <= 60; ++k) take(k, 1000 + 100 * (k - 50));
    take(56, 1500);  // back to step 55, and on
    ASSERT_EQ(model.history.notes().size(), 1u);
    EXPECT_EQ(model.history.notes()[0].to, 55);
    EXPECT_EQ(model.history.notes()[0].words, "stretch stiffness 1,000 → 1,500 N/m");
    take(40, 1000);
    EXPECT_TRUE(model.history.notes().empty());
}

// A failed step has no state: it is only a mark, until another step replaces it.
TEST_F(PlotNotesTest, AStepThatFailedIsAMarkWithItsReason) {
    for (int k = 1; k <= 5; ++k) take(k, 1000);
    worker::ReportEntry failed;
    failed.report.step = 6;
    failed.report.status = integrators::StepStatus::Diverged;
    failed.report.message = "not finite";
    model.history.push(failed);
    EXPECT_EQ(model.history.size(), 5u);
    EXPECT_EQ(model.history.lastStep(), 6);
    ASSERT_EQ(model.history.notes().size(), 1u);
    EXPECT_TRUE(model.history.notes()[0].ends);
    snapshot.step = snapshot.historyLast = 5;
    model.receive(snapshot, true);
    frames(3);
    EXPECT_EQ(ui->layout().wordsAt("plot.energy.note/0"), "not finite");
    const ImVec2 low = at("plot.energy", 0, 1), high = at("plot.energy", 1, 1);
    moveTo({low.x + (high.x - low.x) * 6 / 20, low.y - 20});
    frames(2);
    EXPECT_EQ(ui->layout().wordsAt("plot.energy.note"), "stopped: not finite");
    take(6, 1000);
    EXPECT_TRUE(model.history.notes().empty());
}

// Plots over steps show the latest steps by default; a double click shows all, another one the latest again.
TEST_F(PlotNotesTest, ADoubleClickShowsAllStepsAndThenTheLastOnesAgain) {
    for (int k = 1; k <= 1000; ++k) take(k, 1000);
    snapshot.step = snapshot.historyLast = 1000;
    model.receive(snapshot, true);
    model.looks.largePlot = MotionPlot::Energy;
    model.open(Panel::Plots);
    frames(3);
    const auto doubleClick = [&] {
        frames(40);
        const ImVec2 p = at("plot.energy");
        click(p);
        click(p);
        frames(3);
    };
    const auto shown = [&] { return PlotWindow::of(model); };
    EXPECT_EQ(shown().usual, (widgets::PlotRange{700, 1000}));
    EXPECT_LE(shown().count, 303u);
    doubleClick();
    EXPECT_EQ(shown().count, 1000u);
    take(1001, 1000);
    frames(2);
    EXPECT_EQ(shown().count, 1001u) << "all, as it grows";
    doubleClick();
    EXPECT_LE(shown().count, 303u);
}

TEST_F(PlotNotesTest, AShortMotionFillsTheAxis) {
    for (int k = 1; k <= 7; ++k) take(k, 1000);
    snapshot.step = snapshot.historyLast = 7;
    model.receive(snapshot, true);
    EXPECT_EQ(PlotWindow::of(model).usual, (widgets::PlotRange{0, 20}));
    EXPECT_EQ(PlotWindow::of(model).count, 7u);
}

}  // namespace
}  // namespace clothlab::app::panels
