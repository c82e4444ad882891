#include "film/chart_picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "widgets/ui_theme.hpp"

namespace clothlab::app::film {

using render::Image;
using widgets::kDark;
using widgets::LayoutMap;
using widgets::seriesStyle;

namespace {

using experiments::Chart;

/// Number of pixels of a rectangle that are near a colour.
int inked(const Image& image, ImVec2 min, ImVec2 max, ImU32 color, int tolerance = 24) {
    int found = 0;
    for (int y = std::max(0, int(min.y)); y < std::min(image.height, int(max.y)); ++y)
        for (int x = std::max(0, int(min.x)); x < std::min(image.width, int(max.x)); ++x) {
            const std::uint8_t* p = image.at(x, y);
            found += std::abs(p[0] - int(color & 255)) <= tolerance &&
                     std::abs(p[1] - int((color >> 8) & 255)) <= tolerance &&
                     std::abs(p[2] - int((color >> 16) & 255)) <= tolerance;
        }
    return found;
}

Chart workAndPrecision(int curves) {
    Chart chart{.xKey = "t",
                .yKey = "e",
                .xLabel = "time spent (ms)",
                .yLabel = "error (m)",
                .note = "at the points: time step",
                .logX = true,
                .logY = true,
                .marks = true,
                .curves = {}};
    for (int c = 0; c < curves; ++c) {
        experiments::ChartCurve curve{.name = "method number " + std::to_string(c), .x = {}, .y = {}, .labels = {}};
        for (int i = 0; i < 4; ++i) {
            curve.x.push_back(std::pow(2.0, i + 0.3 * c));
            curve.y.push_back(1e-2 * std::pow(0.1, i + 0.5 * c));
            curve.labels.push_back(std::to_string(i) + " ms");
        }
        chart.curves.push_back(std::move(curve));
    }
    return chart;
}

TEST(ChartPicture, TheSvgHasWhatThePictureHas) {
    const Chart chart = workAndPrecision(2);
    std::string svg;
    ASSERT_TRUE(drawChartPicture({&chart, 1}, "Work & precision", 800, 450, nullptr, widgets::ThemeKind::Light, &svg));
    EXPECT_TRUE(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
    EXPECT_NE(svg.find("width=\"800.00\" height=\"450.00\""), svg.npos);
    EXPECT_NE(svg.find(">Work &amp; precision</text>"), svg.npos);
    for (const experiments::ChartCurve& curve : chart.curves) {
        EXPECT_NE(svg.find(">" + curve.name + "</text>"), svg.npos) << "its name";
        for (const std::string& label : curve.labels) EXPECT_NE(svg.find(">" + label + "</text>"), svg.npos) << label;
    }
}

TEST(ChartPicture, HasCurvesAxesLabelsAndALegend) {
    const Chart chart = workAndPrecision(2);
    LayoutMap layout;
    const auto image = drawChartPicture({&chart, 1}, "Title", 1280, 720, &layout);
    ASSERT_TRUE(image) << image.error().text();
    ASSERT_EQ(image->width, 1280);
    const LayoutMap::Rect* plot = layout.find("chart.0");
    ASSERT_NE(plot, nullptr);
    EXPECT_GT(plot->max.x - plot->min.x, 1000) << "fills the picture";
    EXPECT_GT(plot->max.y - plot->min.y, 450);
    const ImU32 first = seriesStyle(0).color, second = seriesStyle(1).color;
    for (const ImU32 color : {first, second}) {
        EXPECT_GT(inked(*image, plot->min, plot->max, color), 800) << "a curve and its marks";
        EXPECT_GT(inked(*image, {0, 0}, {1280, plot->min.y}, color), 20) << "its swatch";
    }
    EXPECT_GT(inked(*image, plot->min, plot->max, kDark.quiet, 40), 150) << "labels at the points";
    EXPECT_GT(inked(*image, {0, plot->min.y}, {plot->min.x, plot->max.y}, kDark.quiet, 40), 100)
        << "numbers of the y axis";
    EXPECT_GT(inked(*image, {plot->min.x, plot->max.y}, {1280, plot->max.y + 22}, kDark.quiet, 40), 60)
        << "numbers of the x axis";
    EXPECT_GT(inked(*image, {plot->min.x, plot->max.y + 18}, {1280, 720}, kDark.text, 40), 100) << "its name";
    // Nothing is cut off: the outermost pixels have the colour of the ground.
    for (const auto& [min, max] : {std::pair{ImVec2{0, 0}, ImVec2{1280, 4}},
                                   {ImVec2{0, 716}, ImVec2{1280, 720}},
                                   {ImVec2{0, 0}, ImVec2{4, 720}},
                                   {ImVec2{1276, 0}, ImVec2{1280, 720}}})
        EXPECT_EQ(inked(*image, min, max, kDark.text, 60) + inked(*image, min, max, kDark.quiet, 40), 0);
}

TEST(ChartPicture, AMarkLiesWhereItsValuesSay) {
    Chart chart = workAndPrecision(1);
    chart.logX = chart.logY = false;
    chart.lines = false;
    chart.curves[0] = {.name = "one", .x = {0, 5, 10}, .y = {0, 5, 10}, .labels = {}};
    LayoutMap layout;
    const auto image = drawChartPicture({&chart, 1}, "Title", 1280, 720, &layout);
    ASSERT_TRUE(image) << image.error().text();
    const LayoutMap::Rect* plot = layout.find("chart.0");
    ASSERT_NE(plot, nullptr);
    for (const float at : {0.0f, 0.5f, 1.0f}) {
        const ImVec2 p = plot->at(at, 1 - at);
        EXPECT_GT(inked(*image, {p.x - 5, p.y - 5}, {p.x + 6, p.y + 6}, seriesStyle(0).color), 30) << at;
    }
    const ImVec2 off = plot->at(0.25f, 0.75f);
    EXPECT_EQ(inked(*image, {off.x - 5, off.y - 5}, {off.x + 6, off.y + 6}, seriesStyle(0).color), 0)
        << "no line between them";
}

/// 300 steps at one level except for a single one, which is a stroke up to its value and back.
TEST(ChartPicture, ASpikeOfOneStepIsAStrokeUpToItsTop) {
    Chart chart{
        .xKey = "time_s", .yKey = "max_strain", .xLabel = "time (s)", .yLabel = "strain", .note = "", .curves = {}};
    experiments::ChartCurve curve{.name = "strain", .x = {}, .y = {}, .labels = {}};
    for (int i = 0; i <= 300; ++i) {
        curve.x.push_back(i);
        curve.y.push_back(i == 141 ? 75 : 4 + 0.2 * (i % 3));
    }
    chart.curves = {curve};
    for (const int width : {640, 1280, 2560}) {  // less and more than one pixel per step
        LayoutMap layout;
        const auto image = drawChartPicture({&chart, 1}, "Title", width, width * 9 / 16, &layout);
        ASSERT_TRUE(image) << image.error().text();
        const LayoutMap::Rect* plot = layout.find("chart.0");
        ASSERT_NE(plot, nullptr);
        const ImVec2 top = plot->at(0.47f, 1 - 75.0f / 80), foot = plot->at(0.47f, 1 - 6.0f / 80);
        const ImU32 color = seriesStyle(0).color;
        for (float y = top.y + 3; y < foot.y; ++y)
            EXPECT_GT(inked(*image, {top.x - 6, y}, {top.x + 7, y + 1}, color, 90), 0)
                << width << ": a gap " << y - top.y << " pixels below the top";
        EXPECT_EQ(inked(*image, {top.x - 6, plot->min.y}, {top.x + 7, top.y - 8}, color, 90), 0) << "and no farther";
    }
}

TEST(ChartPicture, ManyNamesTakeMoreRowsAndManyChartsShareThePicture) {
    LayoutMap few, many, four;
    const Chart two = workAndPrecision(2), twenty = workAndPrecision(20);
    ASSERT_TRUE(drawChartPicture({&two, 1}, "Title", 1280, 720, &few));
    ASSERT_TRUE(drawChartPicture({&twenty, 1}, "Title", 1280, 720, &many));
    EXPECT_GT(many.find("chart.0")->min.y, few.find("chart.0")->min.y + 15);
    const std::vector<Chart> charts(4, two);
    ASSERT_TRUE(drawChartPicture(charts, "Title", 1280, 720, &four));
    for (int i = 0; i < 4; ++i) {
        const LayoutMap::Rect* plot = four.find("chart." + std::to_string(i));
        ASSERT_NE(plot, nullptr);
        EXPECT_TRUE(plot->max.x < 1280 && plot->max.y < 720 && plot->max.x - plot->min.x > 400 &&
                    plot->max.y - plot->min.y > 150);
    }
    EXPECT_LT(four.find("chart.0")->max.x, four.find("chart.1")->min.x);
    EXPECT_LT(four.find("chart.0")->max.y, four.find("chart.2")->min.y);
}

}  // namespace
}  // namespace clothlab::app::film
