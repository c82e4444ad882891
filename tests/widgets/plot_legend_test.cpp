#include "widgets/plots/plot_legend.hpp"

#include <array>
#include <string>
#include <vector>

#include "imgui_fixture.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::widgets {
namespace {

/// A plot of seven methods, as narrow and low as in a window of 1280 x 720.
class PlotLegendTest : public ImGuiTest {
protected:
    PlotLegendTest() {
        spec.id = "plot.test";
        spec.title = "Iterations per step";
        spec.xLabel = "step";
        spec.xMax = 100;
        spec.views = &views;
    }
    void frame() {
        layout.clear();
        std::vector<PlotCurve> curves;
        for (const std::string& name : names) curves.push_back({name, hue::kInk, x, y});
        plotFrame([&] { readout = drawPlot(spec, curves, size, theme_, layout); });
    }
    void pointAt(std::string_view id) {
        frame();
        ASSERT_NE(layout.find(id), nullptr) << id;
        ImGui::GetIO().MousePos = layout.find(id)->center();
        frame();
        frame();
    }
    void click(std::string_view id) {
        pointAt(id);
        for (const bool down : {true, false}) {
            ImGui::GetIO().MouseDown[0] = down;
            frame();
        }
        frame();
    }
    LayoutMap::Rect rect(std::string_view id) { return *layout.find(id); }

    std::vector<std::string> names{"MPCG, constrained block",
                                   "Forward Euler",
                                   "MPCG, incomplete Cholesky",
                                   "Reduced PCG, matrix core",
                                   "CHOLMOD",
                                   "Newton (backward Euler), Cholesky",
                                   "MPCG, block Jacobi of a name that is wider than the whole column"};
    std::array<double, 3> x{0, 50, 100}, y{1, 2, 3};
    ImVec2 size{250, 0};
    PlotViews views;
    PlotSpec spec;
    PlotReadout readout;
    LayoutMap layout;
};

TEST_F(PlotLegendTest, NeverTakesThePlotsRoom) {
    for (const bool axis : {true, false})
        for (const float height : {leastPlotHeight(theme_, axis), 120.0f, 200.0f, 400.0f}) {
            spec.xTicks = axis;
            size.y = height;
            frame();
            const LayoutMap::Rect plot = rect("plot.test"), outer = rect("plot.test/outer");
            EXPECT_GE(plot.max.y - plot.min.y, 35.9f) << height;
            EXPECT_GE(plot.max.y - plot.min.y, 0.35f * height) << height;
            EXPECT_LE(plot.max.y + (axis ? theme_.small->FontSize : 0), outer.max.y) << height << ": the axis' words";
            for (const std::string& name : names)
                if (const auto* entry = layout.find("plot.test/legend/" + name)) {
                    EXPECT_LE(entry->max.x, outer.max.x + 0.5f) << name;
                    EXPECT_LE(entry->max.y, plot.min.y) << name;
                }
        }
}

TEST_F(PlotLegendTest, APlotWithTooLittleRoomStaysWithinIt) {
    for (const float height : {24.0f, 40.0f, 60.0f, 75.0f}) {
        size.y = height;
        frame();
        EXPECT_LE(rect("plot.test").max.y, std::max(rect("plot.test/outer").max.y, rect("plot.test").min.y + 1))
            << height;
    }
}

// Curves without a row are named in the tooltip of their number, and can be hidden in its list.
TEST_F(PlotLegendTest, WhatHasNoRowIsReachable) {
    size.y = leastPlotHeight(theme_, true);
    frame();
    ASSERT_NE(layout.find("plot.test/legend/more"), nullptr);
    EXPECT_EQ(layout.find("plot.test/legend/" + names[5]), nullptr);
    pointAt("plot.test/legend/more");
    const std::string told = layout.wordsAt("plot.test/legend/more");
    for (const std::string& name : names)
        EXPECT_NE(layout.find("plot.test/legend/" + name) != nullptr, told.find(name) != told.npos) << name;
    click("plot.test/legend/more");
    ASSERT_NE(layout.find("plot.test/legend/" + names[5]), nullptr) << "the list";
    click("plot.test/legend/" + names[5]);
    EXPECT_TRUE(views.hidden("plot.test", names[5]));
}

TEST_F(PlotLegendTest, ANameThatIsCutIsWholeUnderThePointer) {
    names = {names[6], "CHOLMOD"};
    size.y = 200;
    pointAt("plot.test/legend/" + names[0]);
    EXPECT_TRUE(layout.wordsAt("plot.test/legend/" + names[0]).starts_with(names[0] + "\n"));
    pointAt("plot.test/legend/" + names[1]);
    EXPECT_EQ(layout.wordsAt("plot.test/legend/" + names[1]), "click: hides this curve");
}

TEST_F(PlotLegendTest, AllNamesStandWhereThereIsRoom) {
    size = {460, 400};
    frame();
    EXPECT_EQ(layout.find("plot.test/legend/more"), nullptr);
    for (const std::string& name : names) EXPECT_NE(layout.find("plot.test/legend/" + name), nullptr) << name;
}

}  // namespace
}  // namespace clothlab::app::widgets
