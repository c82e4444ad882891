#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "imgui_fixture.hpp"
#include "widgets/imgui_keys.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::widgets {
namespace {

/// A plot of two curves over steps 0 to 100 in its own window, used by events of mouse and keys.
class PlotHandlingTest : public ImGuiTest {
protected:
    PlotHandlingTest() {
        for (std::size_t i = 0; i < x.size(); ++i) {
            x[i] = double(i);
            low[i] = std::sin(0.1 * double(i));
            high[i] = 10 + low[i];
        }
        spec.id = "plot.test";
        spec.title = "height";
        spec.unit = "m";
        spec.xLabel = "step";
        spec.xMax = 100;
        spec.views = &views;
    }
    void frame() {
        layout.clear();
        const PlotCurve curves[] = {{"low", hue::kInk, x, low}, {"high", hue::kInk, x, high}};
        plotFrame([&] { readout = drawPlot(spec, curves, {460, 300}, theme_, layout); });
        ImGui::GetIO().MouseWheel = 0;
    }
    void pointAt(std::string_view id, float fx, float fy) {
        frame();
        ASSERT_NE(layout.find(id), nullptr) << id;
        ImGui::GetIO().MousePos = layout.find(id)->at(fx, fy);
        frame();
    }
    void wheel(float notches) {
        ImGui::GetIO().MouseWheel = notches;
        frame();
        frame();
    }
    void button(int which, bool down) {
        ImGui::GetIO().MouseDown[which] = down;
        frame();
    }
    void click(std::string_view id, int which = 0) {
        pointAt(id, 0.5f, 0.5f);
        button(which, true);
        button(which, false);
        frame();
    }
    void drag(ImVec2 by) {
        for (int k = 0; k < 30; ++k) frame();  // long enough not to be a double click
        button(0, true);
        for (int k = 0; k < 4; ++k) {
            ImGui::GetIO().MousePos.x += by.x / 4;
            ImGui::GetIO().MousePos.y += by.y / 4;
            frame();
        }
        button(0, false);
        frame();
    }
    PlotRange shownX() const { return views.shown("plot.test/x").value_or(PlotRange{0, 100}); }

    std::array<double, 101> x, low, high;
    PlotViews views;
    PlotSpec spec;
    PlotReadout readout;
    LayoutMap layout;
};

TEST_F(PlotHandlingTest, TheWheelZoomsAboutThePointerAndADoubleClickShowsAll) {
    pointAt("plot.test", 0.25f, 0.5f);
    wheel(3);
    const PlotRange range = shownX();
    EXPECT_NEAR(range.max - range.min, 100 * std::pow(0.8, 3), 1e-6);
    EXPECT_NEAR(range.min + 0.25 * (range.max - range.min), 25, 1e-6) << "what is under the pointer stays there";
    EXPECT_NEAR(readout.x, 25, 1);
    wheel(-9);
    EXPECT_FALSE(views.shown("plot.test/x")) << "zooming out ends at the whole range";
    wheel(2);
    ASSERT_TRUE(views.shown("plot.test/x"));
    for (int k = 0; k < 2; ++k) button(0, true), button(0, false);
    EXPECT_FALSE(views.shown("plot.test/x"));
}

TEST_F(PlotHandlingTest, ShiftZoomsTheOtherAxis) {
    pointAt("plot.test", 0.5f, 0.5f);
    setModifiers(ImGui::GetIO(), false, true, false);
    wheel(2);
    setModifiers(ImGui::GetIO(), false, false, false);
    EXPECT_FALSE(views.shown("plot.test/x"));
    ASSERT_TRUE(views.shown("plot.test/y"));
    EXPECT_NEAR(views.shown("plot.test/y")->max, 5 + 0.64 * 10, 0.1);
}

TEST_F(PlotHandlingTest, ADragPansAsFarAsThereIsSomething) {
    pointAt("plot.test", 0.5f, 0.5f);
    drag({-80, 0});
    EXPECT_FALSE(views.shown("plot.test/x")) << "all is shown: there is nothing to pan to";
    pointAt("plot.test", 0.5f, 0.5f);
    wheel(5);
    const PlotRange before = shownX();
    drag({-50, 0});
    const PlotRange after = shownX();
    EXPECT_GT(after.min, before.min + 1);
    EXPECT_NEAR(after.max - after.min, before.max - before.min, 1e-6);
    for (int k = 0; k < 10; ++k) {
        pointAt("plot.test", 0.9f, 0.5f);
        drag({-300, 0});
    }
    EXPECT_NEAR(shownX().max, 100, 1e-6);
    EXPECT_NEAR(shownX().max - shownX().min, before.max - before.min, 1e-6);
}

TEST_F(PlotHandlingTest, AClickOnANameHidesItsCurveAndTheAxisFitsTheRest) {
    pointAt("plot.test", 0.5f, 0.5f);
    EXPECT_EQ(readout.values.size(), 2u);
    click("plot.test/legend/high");
    EXPECT_TRUE(views.hidden("plot.test", "high"));
    pointAt("plot.test", 0.5f, 0.5f);
    ASSERT_EQ(readout.values.size(), 1u);
    EXPECT_EQ(readout.values[0].name, "low");
    click("plot.test/legend/high");
    EXPECT_FALSE(views.hidden("plot.test", "high"));
    spec.stacked = true;
    click("plot.test/legend/low");
    pointAt("plot.test", 0.5f, 0.5f);
    EXPECT_EQ(readout.nearest, 1) << "the layer above goes down to the axis";
}

TEST_F(PlotHandlingTest, TheMenuCopiesAndSavesThePartThatIsShown) {
    views.show("plot.test/x", PlotRange{10, 12});
    click("plot.test", 1);
    click("plot.test/menu/copy");
    const std::string copied = ImGui::GetClipboardText();
    EXPECT_TRUE(copied.starts_with("step,\"low, m\",\"high, m\"\n10,")) << copied;
    EXPECT_EQ(std::count(copied.begin(), copied.end(), '\n'), 4) << copied;
    click("plot.test/legend/low");
    click("plot.test", 1);
    click("plot.test/menu/csv");
    const auto asked = views.takeAsked();
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->name, "test");
    EXPECT_EQ(asked->ending, ".csv");
    EXPECT_TRUE(asked->text.starts_with("step,\"high, m\"\n10,")) << asked->text;
    EXPECT_FALSE(views.takeAsked());
    click("plot.test", 1);
    click("plot.test/menu/all");
    EXPECT_FALSE(views.shown("plot.test/x"));
}

TEST_F(PlotHandlingTest, ASvgHasTheCurvesThatAreShownAndTheWordsOfTheAxes) {
    spec.title = "a < b & c";
    spec.threshold = 5;
    click("plot.test/legend/low");
    click("plot.test", 1);
    click("plot.test/menu/svg");
    const auto asked = views.takeAsked();
    ASSERT_TRUE(asked);
    const std::string& svg = asked->text;
    EXPECT_TRUE(svg.starts_with("<svg xmlns=")) << svg.substr(0, 60);
    EXPECT_TRUE(svg.find(">a &lt; b &amp; c</text>") != svg.npos);
    EXPECT_TRUE(svg.find(">step</text>") != svg.npos);
    EXPECT_TRUE(svg.find("stroke-dasharray") != svg.npos) << "the threshold";
    std::size_t longLines = 0;
    for (std::size_t at = svg.find("<polyline points=\""); at != svg.npos; at = svg.find("<polyline points=\"", at + 1))
        longLines +=
            std::count(svg.begin() + std::ptrdiff_t(at), svg.begin() + std::ptrdiff_t(svg.find('>', at)), ',') > 90;
    EXPECT_EQ(longLines, 1u) << "one of the two curves";
    const auto count = [&](std::string_view part) {
        std::size_t n = 0;
        for (std::size_t at = svg.find(part); at != svg.npos; at = svg.find(part, at + 1)) ++n;
        return n;
    };
    EXPECT_EQ(count("<svg"), count("</svg>"));
}

TEST_F(PlotHandlingTest, ARangeOfAnotherMotionIsDropped) {
    views.show("plot.test/x", PlotRange{300, 400});
    frame();
    EXPECT_FALSE(views.shown("plot.test/x"));
}

TEST_F(PlotHandlingTest, WithoutViewsItIsAPicture) {
    spec.views = nullptr;
    pointAt("plot.test", 0.5f, 0.5f);
    wheel(3);
    click("plot.test", 1);
    EXPECT_EQ(layout.find("plot.test/menu/copy"), nullptr);
    EXPECT_EQ(layout.find("plot.test/legend/low"), nullptr);
}

}  // namespace
}  // namespace clothlab::app::widgets
