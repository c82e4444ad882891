#include <algorithm>

#include "panel_fixture.hpp"

namespace clothlab::app::panels {

using actions::runAction;
using widgets::LayoutMap;

namespace {

// In a window of the usual size the distance of the two cloths is a legible plot, whose words are not cut.
TEST_F(PanelTest, ABranchHasAPlotThatCanBeReadAndItsWordsInFull) {
    addReports(50);
    snapshot.step = 50;
    snapshot.ghost.present = true;
    snapshot.ghost.startStep = 12345;
    snapshot.ghost.settings = snapshot.settings;
    snapshot.ghost.settings.integrator.dt = 0.5 * snapshot.settings.integrator.dt;
    snapshot.ghost.settings.material.stretchStiffness = 6000;
    for (const ImVec2 window : {ImVec2{1280, 720}, ImVec2{1100, 640}, ImVec2{1920, 1080}}) {
        ImGui::GetIO().DisplaySize = window;
        frames(3);
        const LayoutMap::Rect plot = *ui->layout().find("plot.ghost"), words = *ui->layout().find("ghost.words");
        EXPECT_GT(plot.max.y - plot.min.y, 45) << window.x;
        EXPECT_LE(words.max.x, window.x) << window.x;
        EXPECT_GE(words.min.y, plot.max.y) << window.x;
    }
    const std::string words = ui->layout().wordsAt("ghost.words");
    EXPECT_EQ(words,
              "ghost since step 12345: time step 5 ms, stretch stiffness 6,000 N/m; "
              "this cloth: time step 10 ms, stretch stiffness 1,000 N/m");
}

// Side by side, each cloth has its differing settings above it, except where a lesson asks which cloth is which.
TEST_F(PanelTest, AGhostBesideTheClothSaysWhatDiffersUnlessTheClassIsAsked) {
    addReports(50);
    EXPECT_FALSE(runAction(model, "branch.beside").empty()) << "there is no ghost";
    snapshot.ghost.present = true;
    snapshot.ghost.settings = snapshot.settings;
    snapshot.ghost.settings.integrator.dt = 0.5 * snapshot.settings.integrator.dt;
    frames(2);
    EXPECT_EQ(ui->layout().wordsAt("beside/cloth"), "");
    click(at("branch/beside"));
    frames(1);
    EXPECT_TRUE(model.showsGhostBeside());
    EXPECT_TRUE(model.view.wholeInView) << "both cloths are in view";
    EXPECT_EQ(ui->layout().wordsAt("beside/cloth"), "this cloth: time step 10 ms");
    EXPECT_EQ(ui->layout().wordsAt("beside/ghost"), "ghost: time step 5 ms");
    EXPECT_NE(ui->layout().find("plot.iterations"), nullptr);
    snapshot.ghost.settings.integrator.kind = integrators::IntegratorKind::NewtonBdf2;
    frames(1);
    std::string told = ui->layout().wordsAt("beside/ghost");
    std::ranges::replace(told, '\n', ' ');
    EXPECT_NE(told.find("Newton"), told.npos) << told << ": not all differences";
    EXPECT_NE(told.find("time step 5 ms"), told.npos) << told;
    model.looks.blind = true;
    frames(1);
    EXPECT_EQ(ui->layout().wordsAt("beside/cloth"), "this cloth");
    EXPECT_EQ(ui->layout().wordsAt("beside/ghost"), "ghost");
    EXPECT_EQ(ui->layout().wordsAt("ghost.words"), "ghost since step 0");
    for (const char* tells : {"plot.residual", "plot.iterations", "plot.stages"})
        EXPECT_EQ(ui->layout().find(tells), nullptr) << tells;
    EXPECT_NE(ui->layout().find("plot.energy"), nullptr);
    snapshot.ghost.present = false;
    frames(1);
    EXPECT_FALSE(model.showsGhostBeside());
    EXPECT_EQ(ui->layout().wordsAt("beside/cloth"), "");
}

// Each of several ghosts has its own curve, named by the setting that the user had changed at its start.
TEST_F(PanelTest, EachOfSeveralGhostsHasItsCurve) {
    snapshot.ghost.present = true;
    snapshot.ghost.startStep = 10;
    snapshot.ghost.settings = snapshot.settings;
    for (const double stiffness : {200.0, 600.0, 6000.0}) {
        worker::Ghost further = snapshot.ghostAt(snapshot.furtherGhosts.size());
        further.startStep += 10;
        further.settings.material.stretchStiffness = stiffness;
        snapshot.furtherGhosts.push_back(further);
    }
    for (int k = 1; k <= 60; ++k) {
        worker::ReportEntry entry;
        entry.report.step = k;
        entry.report.ghostDistance = 0.001 * k;
        if (k >= 20) entry.furtherDistances = {0.002 * k};
        if (k >= 40) entry.furtherDistances = {0.002 * k, 0.003 * k, -1};
        model.history.push(entry);
    }
    EXPECT_TRUE(std::isnan(model.history.furtherGhost(0)[10]));
    EXPECT_NEAR(model.history.furtherGhost(1)[49], 0.15, 1e-12);
    EXPECT_TRUE(std::isnan(model.history.furtherGhost(2)[59])) << "it has stopped";
    frames(3);
    moveTo(at("plot.ghost/legend/more"));
    frames(2);
    const std::string rest = ui->layout().wordsAt("plot.ghost/legend/more");
    for (const char* name : {"from 10: stretch stiffness 1,000 N/m", "from 20: stretch stiffness 200 N/m",
                             "from 30: stretch stiffness 600 N/m", "from 40: stretch stiffness 6,000 N/m"})
        EXPECT_TRUE(ui->layout().find(std::string("plot.ghost/legend/") + name) || rest.find(name) != rest.npos)
            << name << ", " << rest;
    EXPECT_FALSE(runAction(model, "branch.further").empty()) << "there are four";
    snapshot.furtherGhosts.pop_back();
    model.editor.outbox.clear();
    click(at("branch/further"));
    ASSERT_NE(posted<worker::StartBranch>(), nullptr);
    EXPECT_TRUE(posted<worker::StartBranch>()->further);
}

}  // namespace
}  // namespace clothlab::app::panels
