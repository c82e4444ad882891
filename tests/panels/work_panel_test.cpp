#include <fmt/format.h>

#include "integrators/kind.hpp"
#include "panel_fixture.hpp"
#include "records/json_line.hpp"

namespace clothlab::app::panels {

using model::Panel;
using widgets::Key;
using widgets::LayoutMap;
using window::InputEvent;
using worker::CancelJob;
using worker::OpenWork;
using worker::ReportEntry;
using worker::SaveWork;
using worker::SetSettings;
using worker::StartWork;
using worker::WorkProgress;

namespace {

using integrators::IntegratorKind;

/// Six runs that succeeded, and one that diverged.
class WorkPanelTest : public PanelTest {
protected:
    void SetUp() override {
        PanelTest::SetUp();
        progress = {.serial = 1, .share = 1, .title = "hang", .threads = 1};
        const double dt[] = {0.01, 0.005, 0.0025};
        for (int size = 0; size < 3; ++size) {
            addRun("linearized-backward-euler", dt[size], 20 << size, 1e-2 / (1 << size));
            addRun("bdf2", dt[size], 22 << size, 4e-3 / (1 << 2 * size));
        }
        addRun("forward-euler", 0.01, 5, -1);
        model.results.set(&progress);
        press(Key::P);
        frames(3);
    }
    void addRun(const char* kind, double dt, double ms, double error) {
        progress.records.records.push_back(*records::readJsonLine(fmt::format(
            R"({{"run":{},"vary":{{"integrator.dt":{},"integrator.kind":"{}"}},"scene":"hang","status":"{}","time_s":0.05,"message":"Step 5.",)"
            R"("mean_iterations":7,"mean_step_ms":1.5,"total_ms":{},"ms_per_simulated_s":{},"error_m":{},"error_rms_m":{},)"
            R"("reference_status":"ok","settings":{{"integrator":{{"dt":{},"dt_schedule":"fixed"}}}},"sweep":{{"sets":"grid"}}}})",
            progress.records.records.size(), dt, kind, error < 0 ? "diverged" : "ok", ms, 5 * ms,
            error < 0 ? "null" : fmt::format("{}", error), error < 0 ? "null" : fmt::format("{}", error / 2), dt)));
    }

    WorkProgress progress;
};

TEST_F(WorkPanelTest, IsDrawnWithPointsInAPlotThatFitsTheWindow) {
    ASSERT_TRUE(model.isOpen(Panel::Work));
    for (const ImVec2 size : {ImVec2{1280, 720}, ImVec2{1920, 1080}, ImVec2{960, 600}}) {
        ImGui::GetIO().DisplaySize = size;
        frames(3);
        const LayoutMap::Rect* panel = ui->layout().find("work");
        const LayoutMap::Rect* plot = ui->layout().find("work.plot");
        ASSERT_TRUE(panel && plot);
        EXPECT_GT(plot->max.y - plot->min.y, 100) << size.y;
        EXPECT_GT(plot->max.x - plot->min.x, 250) << size.x;
        for (const auto& [id, rect] : ui->layout().all()) {
            if (!id.starts_with("work")) continue;
            if (id == "work/panel") continue;  // the button that opens it
            EXPECT_TRUE(rect.min.x >= panel->min.x && rect.max.x <= panel->max.x && rect.max.y <= panel->max.y)
                << id << " at " << size.x;
        }
        // Smaller steps take longer and have smaller errors: their points are farther right and lower.
        const ImVec2 coarse = at("work.plot/BDF2/0"), fine = at("work.plot/BDF2/2");
        EXPECT_GT(fine.x, coarse.x + 10);
        EXPECT_GT(fine.y, coarse.y + 10);
        EXPECT_GT(plot->max.y + 30, fine.y) << "room for the axis below";
    }
}

TEST_F(WorkPanelTest, AClickOnAPointPutsItInForceAndLeavesTheRest) {
    model.settings.solver.tolerance = 1e-5;
    model.settings.integrator.dtSchedule = integrators::DtSchedule::Adaptive;
    frame();
    click(at("work.plot/BDF2/1"));
    const auto* set = posted<SetSettings>();
    ASSERT_NE(set, nullptr);
    EXPECT_EQ(set->settings.integrator.kind, IntegratorKind::Bdf2);
    EXPECT_EQ(set->settings.integrator.dt, 0.005);
    EXPECT_EQ(set->settings.integrator.dtSchedule, integrators::DtSchedule::Fixed);
    EXPECT_EQ(set->settings.solver.tolerance, 1e-5);
    // A diverged run is a cross at the upper edge, which can be clicked.
    const LayoutMap::Rect plot = *ui->layout().find("work.plot");  // a copy: each frame builds a new map
    const ImVec2 cross = at("work.plot/Forward Euler/lost/0");
    EXPECT_NEAR(cross.y, plot.min.y, 8);
    click(cross);
    EXPECT_EQ(posted<SetSettings>()->settings.integrator.kind, IntegratorKind::ForwardEuler);
    model.editor.outbox.clear();
    click({plot.min.x + 3, plot.max.y - 3});
    EXPECT_EQ(posted<SetSettings>(), nullptr) << "no point is there";
}

TEST_F(WorkPanelTest, TheSameRunsOverTheStepSize) {
    click(at("work/over/step"));
    frame();
    const ImVec2 coarse = at("work.plot/BDF2/2"), fine = at("work.plot/BDF2/0"),
                 euler = at("work.plot/Linearized backward Euler/0");
    EXPECT_GT(coarse.x, fine.x + 10) << "over the step: larger to the right";
    EXPECT_NEAR(fine.x, euler.x, 0.5);
    click(at("work/error/rms"));
    EXPECT_TRUE(model.work.rms);
}

// An explicit method divides its steps: points with the same real step have no order, and the panel says why.
TEST_F(WorkPanelTest, OrdersAreOfTheStepsThatWereTaken) {
    progress.serial = 2;
    for (records::Entries& record : progress.records.records) {
        const bool forward = record[2].second == records::Value("forward-euler");
        record.emplace_back("settings.integrator.kind",
                            forward ? "forward-euler" : std::get<std::string>(record[2].second));
        record.emplace_back("step_taken_s", records::findNumber(record, "settings.integrator.dt"));
    }
    for (const double dt : {0.01, 0.005}) {
        addRun("symplectic-euler", dt, 50, 2e-4);
        progress.records.records.back().emplace_back("settings.integrator.kind", "symplectic-euler");
        progress.records.records.back().emplace_back("step_taken_s", 3.125e-4);
    }
    frames(2);
    const std::string words = ui->layout().wordsAt("work/words");
    EXPECT_NE(words.find("Linearized backward Euler 1.00 · "), words.npos) << words;
    EXPECT_NE(words.find("BDF2 2.00 · "), words.npos) << words;
    EXPECT_NE(words.find("Symplectic Euler none (every step was cut to 0.312 ms)"), words.npos) << words;
    click(at("work/over/step"));
    frames(2);
    EXPECT_NEAR(at("work.plot/Symplectic Euler/0").x, at("work.plot/Symplectic Euler/1").x, 0.01)
        << "the same real step";
    EXPECT_LT(at("work.plot/Symplectic Euler/0").x, at("work.plot/BDF2/0").x - 10);
}

TEST_F(WorkPanelTest, ButtonsMeasureStopSaveAndOpen) {
    model.editor.outbox.clear();
    click(at("work/start"));
    ASSERT_NE(posted<StartWork>(), nullptr);
    EXPECT_FALSE(posted<StartWork>()->live || posted<StartWork>()->fromStart);
    const auto& chosen = posted<StartWork>()->request.integrators;
    EXPECT_NE(std::find(chosen.begin(), chosen.end(), model.settings.integrator.kind), chosen.end())
        << "the active integrator is among them";
    click(at("work/save"));
    ASSERT_NE(posted<SaveWork>(), nullptr);
    EXPECT_EQ(posted<SaveWork>()->path, "clothlab-work-hang.ndjson");
    progress.running = true;
    progress.share = 0.25;
    frame();
    EXPECT_EQ(ui->layout().find("work/start"), nullptr);
    EXPECT_EQ(ui->layout().find("work/save"), nullptr);
    EXPECT_NE(ui->layout().find("work/progress"), nullptr);
    click(at("work/stop"));
    EXPECT_NE(posted<CancelJob>(), nullptr);
    click(at("work/open-file"));
    click(at("work/path"));
    for (const char c : std::string("a.ndjson")) queue.push(InputEvent::character(static_cast<unsigned char>(c)));
    drain();
    click(at("work/open"));
    ASSERT_NE(posted<OpenWork>(), nullptr);
    EXPECT_EQ(posted<OpenWork>()->path, "a.ndjson");
    EXPECT_TRUE(model.isOpen(Panel::Work)) << "letters go into the field";
    progress.problem = "a.ndjson:3:7: this line is not a JSON object";
    frame();
    EXPECT_NE(ui->layout().find("work/problem"), nullptr);
    EXPECT_NE(ui->layout().find("work.plot"), nullptr) << "the previous points stay";
}

TEST_F(WorkPanelTest, ChoicesAreAskedFor) {
    click(at("work/integrators"));
    click(at("work/integrators/rk4", 0.05f));
    click(at("work/integrators/bdf2", 0.05f));
    press(Key::Escape);
    click({at("view").x, 30});
    model.work.request.sizes = 3;
    frame();
    click(at("work/largest"));
    click(at("work/largest/20"));
    click(at("work/start"));
    ASSERT_NE(posted<StartWork>(), nullptr);
    const auto& request = posted<StartWork>()->request;
    const auto has = [&](IntegratorKind kind) {
        return std::find(request.integrators.begin(), request.integrators.end(), kind) != request.integrators.end();
    };
    EXPECT_TRUE(has(IntegratorKind::Rk4));
    EXPECT_FALSE(has(IntegratorKind::Bdf2));
    EXPECT_EQ(request.largestDt, 0.02);
    EXPECT_EQ(request.smallestDt(), 0.005);
    EXPECT_EQ(request.tolerance, 1e-8);
}

// --- the history of the step

TEST_F(PanelTest, TheTimeStepIsPlottedWhereItVaries) {
    const auto push = [&](int step, double dt, double limit) {
        ReportEntry entry;
        entry.report.step = step;
        entry.report.dt = dt;
        entry.report.explicitLimit = limit;
        model.history.push(entry);
    };
    for (int i = 1; i <= 20; ++i) push(i, 0.01, 0.002);
    frames(2);
    EXPECT_EQ(ui->layout().find("plot.dt"), nullptr) << "all steps have one length";
    push(21, 0.005, INFINITY);
    frames(2);
    ASSERT_NE(ui->layout().find("plot.dt"), nullptr);
    EXPECT_EQ(model.history.values("dt").back(), 0.005);
    EXPECT_EQ(model.history.values("explicit_limit_s").front(), 0.002);
    EXPECT_TRUE(std::isnan(model.history.values("explicit_limit_s").back()));
    const LayoutMap::Rect* last = ui->layout().find("plot.strain");
    EXPECT_LE(last->max.y, 720) << "all plots fit";
    model.history.clear();
    snapshot.settings.integrator.dtSchedule = integrators::DtSchedule::Sine;
    frames(2);
    EXPECT_NE(ui->layout().find("plot.dt"), nullptr);
}

}  // namespace
}  // namespace clothlab::app::panels
