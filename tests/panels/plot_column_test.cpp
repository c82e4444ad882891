#include <cmath>

#include "panel_fixture.hpp"

namespace clothlab::app::panels {

using worker::ReportEntry;

namespace {

TEST_F(PanelTest, HistoryReplacesWhatIsTakenAgainAndForgetsFailures) {
    addReports(50);
    EXPECT_EQ(model.history.size(), 50u);
    ReportEntry again;
    again.report.step = 21;
    again.report.iterations = again.report.linearIterations = 99;
    model.history.push(again);
    EXPECT_EQ(model.history.size(), 21u);
    EXPECT_EQ(model.history.values("iterations").back(), 99);
    again.report.step = 22;
    again.report.status = integrators::StepStatus::Diverged;
    model.history.push(again);
    EXPECT_EQ(model.history.size(), 21u);
    model.history.push({.cleared = true, .report = {}});
    EXPECT_TRUE(model.history.empty());
}

TEST_F(PanelTest, ComponentsAreDrawnOverTheStepsWhereTheyWereCounted) {
    EXPECT_EQ(ui->layout().find("plot.components"), nullptr) << "an empty plot";
    ReportEntry entry;
    entry.report.step = 1;
    model.history.push(entry);
    entry.report.step = 2;
    entry.report.components = 34;
    entry.report.largestComponent = 4912;
    model.history.push(entry);
    const auto counts = model.history.values("components");
    EXPECT_TRUE(std::isnan(counts[0])) << "nobody searched";
    EXPECT_EQ(counts[1], 34);
    EXPECT_EQ(model.history.values("largest_component")[1], 4912);
    model.settings.solver.decompose = true;
    snapshot.report = entry.report;
    frames(2);
    ASSERT_NE(ui->layout().find("plot.components"), nullptr);
    EXPECT_LE(at("plot.strain", 0, 1).y, ImGui::GetIO().DisplaySize.y) << "six plots fit into the window";
}

TEST_F(PanelTest, AnyNumberOfAReportCanHaveAPlot) {
    addReports(20);
    frames(2);
    EXPECT_EQ(ui->layout().find("plot.also"), nullptr);
    click(at("plot.also_choice"));
    frames(2);
    click(at("plot.also_choice/dt"));
    frames(2);
    ASSERT_GE(model.alsoPlot, 0);
    EXPECT_EQ(simulation::kReportColumns[model.alsoPlot].key, "dt");
    ASSERT_NE(ui->layout().find("plot.also"), nullptr);
}

TEST_F(PanelTest, AllPlotsAreDrawnFromReportsAndSnapshot) {
    int before = 0, after = 0;
    const auto vertices = [] {
        int count = 0;
        const ImDrawData* data = ImGui::GetDrawData();
        for (int i = 0; i < data->CmdListsCount; ++i) count += data->CmdLists[i]->VtxBuffer.Size;
        return count;
    };
    frame();
    before = vertices();
    addReports(100);
    snapshot.residualHistory = {1, 0.1f, 0.01f, 1e-4f};
    frames(2);
    after = vertices();
    EXPECT_GT(after, before + 1000);
}

}  // namespace
}  // namespace clothlab::app::panels
