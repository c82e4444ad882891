#include <fmt/format.h>

#include <cmath>

#include "columns/plot_column.hpp"
#include "panel_fixture.hpp"
#include "preconditioners/kind.hpp"

namespace clothlab::app::panels {

using model::MotionPlotEntry;
using model::motionPlots;
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
    EXPECT_TRUE(std::isnan(counts[0])) << "components were not searched";
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
    ASSERT_GE(model.looks.alsoPlot, 0);
    EXPECT_EQ(simulation::kReportColumns[model.looks.alsoPlot].key, "dt");
    ASSERT_NE(ui->layout().find("plot.also"), nullptr);
}

// The names of six methods take one row, which ends with a list of the others, and no plot overlaps another.
TEST_F(PanelTest, NamesOfManyMethodsLeaveThePlotsTheirRoom) {
    using enum preconditioners::PreconditionerKind;
    ReportEntry entry;
    entry.report.methods.integrator = integrators::IntegratorKind::ForwardEuler;
    for (const auto kind : {ConstrainedBlock, IncompleteCholesky, BlockJacobi, Identity, MatrixCore}) {
        for (int k = 0; k < 5; ++k) {
            entry.report.iterations = entry.report.linearIterations = 20;
            ++entry.report.step;
            model.history.push(entry);
        }
        entry.report.methods.integrator = integrators::kUsualIntegrator;
        entry.report.methods.preconditioner.kind = kind;
    }
    ++entry.report.step;
    model.history.push(entry);
    snapshot.report = entry.report;
    for (const ImVec2 window : {ImVec2{1280, 720}, ImVec2{1100, 640}, ImVec2{1920, 1080}}) {
        ImGui::GetIO().DisplaySize = window;
        frames(3);
        float above = 0;
        std::size_t plots = 0;
        for (const MotionPlotEntry& each : motionPlots()) {
            const auto* outer = ui->layout().find(fmt::format("plot.{}/outer", each.key));
            if (!outer) continue;
            const auto* plot = ui->layout().find(fmt::format("plot.{}", each.key));
            EXPECT_GE(outer->min.y, above) << each.key;
            EXPECT_LE(plot->max.y, outer->max.y) << each.key;
            EXPECT_GE(plot->max.y - plot->min.y, 35.9f) << window.x << ", " << each.key;
            above = outer->max.y;
            ++plots;
        }
        EXPECT_GE(plots, 5u);
        // Depending on the font, wider columns may have room for all of them.
        if (window.x <= 1280) {
            EXPECT_NE(ui->layout().find("plot.iterations/legend/more"), nullptr) << window.x;
        }
    }
}

TEST(PlotColumn, WhatNeedsMoreThanItsShareGetsItFromTheOthers) {
    std::vector<columns::PlotShare> plots{{1, 80}, {2, 50}, {1, 50}};
    columns::shareHeights(240, true, plots);
    EXPECT_FLOAT_EQ(plots[0].height, 80);
    EXPECT_FLOAT_EQ(plots[1].height, 2 * 160 / 3.0f);
    EXPECT_FLOAT_EQ(plots[2].height, 160 / 3.0f);
    plots = {{1, 80}, {2, 50}, {1, 50}};
    columns::shareHeights(100, true, plots);
    EXPECT_FLOAT_EQ(plots[0].height + plots[1].height + plots[2].height, 180) << "scrolls";
    plots = {{1, 80}, {2, 50}, {1, 50}};
    columns::shareHeights(90, false, plots);
    EXPECT_FLOAT_EQ(plots[0].height + plots[1].height + plots[2].height, 90) << "a picture does not";
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
