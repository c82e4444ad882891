#include <array>
#include <cstring>
#include <limits>

#include "widgets/imgui_fixture.hpp"
#include "widgets/numbers.hpp"
#include "widgets/plots/plot.hpp"
#include "widgets/plots/plot_labels.hpp"
#include "widgets/plots/plot_text.hpp"

namespace clothlab::app::widgets {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(PlotAxis, LinearTicksAreRoundAndHoldTheData) {
    for (const auto& [low, high] : {std::pair{0.13, 0.87}, {-3.0, 1200.0}, {5.0, 5.0}, {0.0, 0.0}, {-1e-7, 2e-7}}) {
        const Axis axis = linearAxis(low, high, 5, false);
        EXPECT_LE(axis.min, low);
        EXPECT_GE(axis.max, high);
        EXPECT_GT(axis.max, axis.min);
        ASSERT_GE(axis.ticks.size(), 2u);
        EXPECT_LE(axis.ticks.size(), 8u);
        for (const double t : axis.ticks) EXPECT_NEAR(axis.value(axis.position(t)), t, 1e-9 * (axis.max - axis.min));
    }
    EXPECT_EQ(linearAxis(3, 9, 5, true).min, 0);
    constexpr double kLargest = std::numeric_limits<double>::max();
    const Axis widest = linearAxis(-kLargest, kLargest, 5, false);
    for (const double tick : widest.ticks) EXPECT_TRUE(std::isfinite(tick) && std::isfinite(widest.position(tick)));
    EXPECT_TRUE(std::isfinite(widest.position(kLargest)) && std::isfinite(widest.position(-kLargest)));
}

TEST(PlotAxis, LogAxisHoldsWholeDecades) {
    const Axis axis = logAxis(3e-5, 0.7, 5);
    EXPECT_NEAR(axis.min, 1e-5, 1e-17);
    EXPECT_NEAR(axis.max, 1, 1e-12);
    EXPECT_NEAR(axis.position(1e-3), 0.4, 1e-12);
    EXPECT_EQ(tickLabel(axis, axis.ticks.front()), "1e-5");
    const Axis hopeless = logAxis(0, -1, 5);  // no positive value: still a valid axis
    EXPECT_GT(hopeless.max, hopeless.min);
}

TEST(PlotAxis, AFineLogAxisEndsAtOneTwoOrFive) {
    const Axis narrow = fineLogAxis(1.25, 11, 8);
    EXPECT_NEAR(narrow.min, 1, 1e-12);
    EXPECT_NEAR(narrow.max, 20, 1e-12);
    ASSERT_EQ(narrow.ticks.size(), 5u);
    EXPECT_EQ(tickLabel(narrow, narrow.ticks[1]), "2");
    EXPECT_EQ(tickLabel(narrow, narrow.ticks[3]), "10");
    const Axis wide = fineLogAxis(1.5e-11, 3e-3, 9);
    EXPECT_NEAR(wide.min, 1e-11, 1e-20);
    EXPECT_NEAR(wide.max, 5e-3, 1e-12);
    EXPECT_LE(wide.ticks.size(), 9u);
    EXPECT_EQ(tickLabel(wide, wide.ticks.front()), "1e-11");
    for (const auto& [low, high] : {std::pair{1.0, 1.0}, {0.0, 0.0}, {3.0, 3.1}, {7e-5, 0.2}}) {
        const Axis axis = fineLogAxis(low, high, 8);
        EXPECT_TRUE(axis.min > 0 && axis.max > axis.min && axis.ticks.size() >= 2) << low;
        EXPECT_TRUE(low <= 0 || (axis.min <= low * (1 + 1e-9) && axis.max >= high * (1 - 1e-9))) << low;
    }
}

TEST(PlotLabels, KeepClearOfMarksOfEachOtherAndOfTheFrame) {
    LabelPlacer placer({0, 0}, {100, 100});
    placer.avoid({50, 50}, 4);
    const auto first = placer.place({50, 50}, {30, 10}, 4), second = placer.place({50, 50}, {30, 10}, 4);
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(first->x == second->x && first->y == second->y);
    const auto corner = placer.place({99, 1}, {30, 10}, 4);  // neither right of it nor above
    ASSERT_TRUE(corner);
    EXPECT_TRUE(corner->x + 30 <= 100 && corner->y >= 0);
    EXPECT_FALSE(placer.place({5, 5}, {200, 10}, 4)) << "no room, no name";
}

TEST(PlotAxis, NearestSample) {
    const std::array<double, 4> x{1, 2, 4, 8};
    EXPECT_EQ(nearestSample(x, -5), 0);
    EXPECT_EQ(nearestSample(x, 2.9), 1);
    EXPECT_EQ(nearestSample(x, 3.1), 2);
    EXPECT_EQ(nearestSample(x, 80), 3);
    EXPECT_EQ(nearestSample({}, 1), -1);
}

TEST(Numbers, ShortAndExact) {
    EXPECT_EQ(formatNumber(0.001), "1e-3");
    EXPECT_EQ(formatNumber(2.5e-4), "2.5e-4");
    EXPECT_EQ(formatNumber(6000), "6,000");
    EXPECT_EQ(formatNumber(0.05), "0.05");
    EXPECT_EQ(formatNumber(0.01), "0.01");
    EXPECT_EQ(formatNumber(9.9999e-4, 2), "1e-3");
    EXPECT_EQ(formatNumber(-12.5), "-12.5");
    EXPECT_EQ(formatNumber(-1234567), "-1.235e6");
    EXPECT_EQ(formatNumber(kNan), "-");
    EXPECT_EQ(formatValue({.label = "time step", .unit = "s", .display = kMilliseconds}, 0.01), "10 ms");
    EXPECT_EQ(formatValue({.label = "threads", .autoWord = "auto"}, 0), "auto");
}

TEST(Numbers, SliderScalesGoThereAndBack) {
    const SliderScale log{1e-4, 0.05, true, false};
    EXPECT_NEAR(log.value(log.position(0.01)), 0.01, 1e-15);
    EXPECT_DOUBLE_EQ(log.value(0), 1e-4);
    EXPECT_DOUBLE_EQ(log.value(1), 0.05);
    const SliderScale fromZero{0, 10, true, false};
    EXPECT_EQ(fromZero.value(0), 0);
    EXPECT_GT(fromZero.value(0.5), 0);
    const SliderScale whole{5, 161, false, true};
    EXPECT_EQ(whole.value(whole.position(41)), 41);
    const SliderScale share{0, 1, false, false};
    EXPECT_DOUBLE_EQ(share.value(0.404), 0.4);
}

class PlotTest : public ImGuiTest {
protected:
    /// Draws the plot in its own window; the pointer is at fractions fx, fy of its inner rectangle.
    PlotReadout draw(const PlotSpec& spec, std::span<const PlotCurve> curves, float fx, float fy) {
        PlotReadout readout;
        for (int i = 0; i < 3; ++i) {
            if (const auto* rect = layout.find(spec.id)) ImGui::GetIO().MousePos = rect->at(fx, fy);
            ImGui::NewFrame();
            ImGui::SetNextWindowPos({0, 0});
            ImGui::SetNextWindowSize({400, 300});
            ImGui::Begin("plot test");
            readout = drawPlot(spec, curves, {360, 200}, theme_, layout);
            vertices = ImGui::GetWindowDrawList()->VtxBuffer.Size;
            ImGui::End();
            ImGui::Render();
        }
        return readout;
    }
    LayoutMap layout;
    int vertices = 0;
};

TEST_F(PlotTest, ReadsValuesUnderThePointerAndNamesTheCurve) {
    const std::array<double, 5> x{0, 1, 2, 3, 4}, low{0, 0, 0, 0, 0}, high{10, 10, 10, kNan, 10};
    const PlotCurve curves[] = {{"low", hue::kInk, x, low}, {"high", hue::kInk, x, high}};
    PlotSpec spec;
    spec.id = "p";
    spec.title = "test";
    spec.xLabel = "step";
    spec.xMax = 4;
    const PlotReadout nearTop = draw(spec, curves, 0.5f, 0.02f);
    ASSERT_TRUE(nearTop.hovered);
    EXPECT_EQ(nearTop.x, 2);
    ASSERT_EQ(nearTop.values.size(), 2u);
    EXPECT_EQ(nearTop.values[1].value, 10);
    EXPECT_EQ(nearTop.nearest, 1);
    EXPECT_EQ(draw(spec, curves, 0.5f, 0.97f).nearest, 0);
    EXPECT_EQ(draw(spec, curves, 0.5f, 0.5f).nearest, -1) << "between the curves there is none";
    const PlotReadout gap = draw(spec, curves, 0.75f, 0.5f);
    EXPECT_EQ(gap.x, 3);
    EXPECT_EQ(gap.values.size(), 1u) << "a gap has no value";
}

TEST_F(PlotTest, StackedAreasNameTheLayerThatThePointerIsIn) {
    const std::array<double, 3> x{0, 1, 2}, two{2, 2, 2}, six{6, 6, 6};
    const PlotCurve curves[] = {{"a", hue::kInk, x, two}, {"b", hue::kInk, x, six}};
    PlotSpec spec;
    spec.id = "p";
    spec.stacked = true;
    spec.xMax = 2;
    EXPECT_EQ(draw(spec, curves, 0.5f, 0.9f).nearest, 0);
    EXPECT_EQ(draw(spec, curves, 0.5f, 0.5f).nearest, 1);
}

TEST_F(PlotTest, EmptyPlotsAndWildNumbersAreDrawnWithoutHarm) {
    PlotSpec spec;
    spec.id = "p";
    spec.logY = true;
    const PlotReadout none = draw(spec, {}, 0.5f, 0.5f);
    EXPECT_TRUE(none.values.empty());
    const int bare = vertices;
    const std::array<double, 4> x{0, 1, 2, 3}, wild{kNan, -1, 1e300, 1e-300};
    const PlotCurve curve{"wild", hue::kInk, x, wild};
    spec.xMax = 3;
    draw(spec, {&curve, 1}, 0.5f, 0.5f);
    EXPECT_GT(vertices, bare);
    EXPECT_LT(vertices, 20000);
}

// This once crashed: a plot of marks has no lines for names to be placed at.
TEST_F(PlotTest, APlotOfMarksThatIsToNameItsCurvesIsDrawn) {
    const std::array<double, 3> x{0, 1, 2}, y{1, 2, 3};
    const PlotCurve curve{"a", hue::kInk, x, y};
    PlotSpec spec;
    spec.id = "p";
    spec.marks = spec.nameCurves = true;
    spec.xMax = 2;
    EXPECT_TRUE(draw(spec, {&curve, 1}, 0.5f, 0.5f).hovered);
    EXPECT_EQ(layout.find("p/name/a"), nullptr);
    EXPECT_NE(layout.find("p/a/1"), nullptr) << "its marks are there";
}

// Names are placed where the fewest lines are, and left out where they would hide lines.
TEST(PlotLabels, LieBesideLinesAndNotOverThem) {
    InkMap ink({0, 0}, {200, 100}, 5);
    for (int k = 0; k < 8; ++k) {  // a bundle at the left
        const ImVec2 line[] = {{0, 2.0f * float(k)}, {60, 90}};
        ink.add(line);
    }
    EXPECT_GT(ink.under({0, 0}, {60, 90}), 0.3f);
    EXPECT_EQ(ink.under({120, 0}, {200, 100}), 0);
    LabelPlacer placer({0, 0}, {200, 100});
    const ImVec2 within[] = {{20, 40}, {30, 50}}, beside[] = {{30, 50}, {120, 50}};
    EXPECT_FALSE(placer.placeClear(within, {30, 10}, 4, ink, 0.02f));
    const auto place = placer.placeClear(beside, {30, 10}, 4, ink, 0.02f);
    ASSERT_TRUE(place);
    EXPECT_GT(place->x, 80);
}

TEST(PlotWords, TicksOfADeepZoomDiffer) {
    const Axis axis = chosenAxis({0.72113, 0.72114}, 5, false);
    ASSERT_GE(axis.ticks.size(), 2u);
    for (std::size_t k = 1; k < axis.ticks.size(); ++k)
        EXPECT_NE(tickLabel(axis, axis.ticks[k]), tickLabel(axis, axis.ticks[k - 1]));
}

TEST(PlotWords, SayWhyNothingIsDrawn) {
    const double x[] = {1, 2}, zero[] = {0, 0}, y[] = {1, 2};
    const PlotCurve positive{"a", hue::kInk, x, y}, nought{"a", hue::kInk, x, zero};
    PlotSpec spec;
    spec.xMax = 10;
    EXPECT_EQ(emptyWords(spec, {}, false), "no data yet");
    EXPECT_EQ(emptyWords(spec, {&positive, 1}, true), "all curves are hidden");
    spec.xMin = 5;
    EXPECT_EQ(emptyWords(spec, {&positive, 1}, false), "nothing in this part");
    spec.xMin = 0;
    spec.logY = true;
    EXPECT_EQ(emptyWords(spec, {&nought, 1}, false), "zero: a logarithmic axis has no place for it");
}

TEST(PlotWords, ATableHasWhatWasChangedAndWhatIsAtThePoints) {
    const double x[] = {1, 2, 3}, y[] = {4, 5, 6};
    const PlotNote notes[] = {{.from = 2, .to = 2, .words = "stiffness 1 → 2"}};
    PlotSpec spec;
    spec.title = "height";
    spec.xLabel = "step";
    spec.xMax = 5;
    spec.notes = notes;
    PlotCurve curve{"a", hue::kInk, x, y};
    EXPECT_EQ(plotCsv(spec, {&curve, 1}), "step,a,changed\n1,4,\n2,5,stiffness 1 → 2\n3,6,\n");
    const std::string labels[] = {"5 ms", "", "20 ms"};
    const double lost[] = {4};
    curve.labels = labels;
    curve.lost = lost;
    spec.notes = {};
    EXPECT_EQ(plotCsv(spec, {&curve, 1}), "curve,step,height,note\na,1,4,5 ms\na,2,5,\na,3,6,20 ms\na,4,,no value\n");
}

// With a thousand steps on a hundred pixels, a single slow step keeps its full height. A single step is a bar.
TEST_F(ImGuiTest, StackedTimesKeepTheirPeaks) {
    std::vector<double> x, low, high;
    for (int k = 0; k < 1000; ++k) x.push_back(k), low.push_back(1), high.push_back(k == 437 ? 90 : 1);
    const auto highest = [&](std::size_t count) {
        const PlotCurve curves[] = {{"a", hue::kInk, std::span(x).first(count), std::span(low).first(count)},
                                    {"b", hue::kGhost, std::span(x).first(count), std::span(high).first(count)}};
        PlotSpec spec;
        spec.id = "p";
        spec.stacked = true;
        spec.xMax = std::max(double(count), 50.0);
        ImGui::NewFrame();
        const std::string svg = plotSvg(spec, curves, theme_);
        ImGui::Render();
        double most = 0;
        for (std::size_t at = svg.find("<rect"); at != svg.npos; at = svg.find("<rect", at + 1)) {
            const std::string element = svg.substr(at, svg.find('>', at) - at);
            const auto number = [&](const char* key) {
                const std::size_t place = element.find(key);
                return place == element.npos ? 0.0 : std::stod(element.substr(place + std::strlen(key)));
            };
            if (number(" width=\"") < 40) most = std::max(most, number(" height=\""));
        }
        return most;
    };
    EXPECT_GT(highest(1000), 0.8 * 300) << "of the plot's height";
    EXPECT_GT(highest(1), 50);
}

}  // namespace
}  // namespace clothlab::app::widgets
