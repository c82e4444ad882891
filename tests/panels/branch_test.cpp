#include "panel_fixture.hpp"

namespace clothlab::app::panels {

using widgets::LayoutMap;

namespace {

// In the usual window the distance of the two cloths is a plot that can be read, and its words are whole and inside.
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
    const std::string words = ui->layout().wordsOf("ghost.words");
    EXPECT_EQ(words, "ghost since step 12345: time step 5 ms, here 10 ms, ...");
}

}  // namespace
}  // namespace clothlab::app::panels
