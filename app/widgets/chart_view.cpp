#include "widgets/chart_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/pen.hpp"
#include "widgets/plot.hpp"
#include "widgets/scopes.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::widgets {
namespace {

/// No two curves of a chart look alike: where they would, the later one has another mark.
std::vector<Style> stylesOf(const experiments::Chart& chart, const ChartLook& look) {
    std::vector<Style> styles;
    for (std::size_t c = 0; c < chart.curves.size(); ++c) {
        Style style = look.styleOf(chart.curves[c].name, c);
        for (std::size_t n = 1; n < kMarkKinds && std::ranges::find(styles, style) != styles.end(); ++n)
            style.mark = variantMark(n);
        styles.push_back(style);
    }
    return styles;
}

/// The x axis over all points: round ends, so that the first and the last point do not lie on the frame by chance.
void chooseRange(const experiments::Chart& chart, PlotSpec& spec) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    const auto take = [&](double x) {
        if (!std::isfinite(x) || (chart.logX && x <= 0)) return;
        low = std::min(low, x);
        high = std::max(high, x);
    };
    for (const experiments::ChartCurve& curve : chart.curves)
        for (const auto& lost : curve.lost) take(lost.x);
    for (const experiments::ChartCurve& curve : chart.curves)
        for (const double x : curve.x) take(x);
    constexpr int kTicks = 8;
    constexpr double kNearZero = 0.1;  // of the range: it may as well begin at zero
    if (!chart.logX && low > 0 && low < kNearZero * high) low = 0;
    const Axis axis = chart.logX    ? fineLogAxis(low, high, kTicks)
                      : chart.marks ? linearAxis(low, high, kTicks, false)
                                    : Axis{low, high, false, {}};
    spec.xMin = axis.min;
    spec.xMax = axis.max;
}

}  // namespace

PlotReadout drawChart(const experiments::Chart& chart, const std::string& id, ImVec2 size, const ChartLook& look,
                      LayoutMap& layout) {
    PlotSpec spec;
    spec.id = id;
    spec.title = chart.yLabel;
    spec.xLabel = chart.xLabel;
    spec.logX = chart.logX;
    spec.logY = chart.logY;
    spec.marks = chart.marks;
    spec.lines = chart.lines;
    spec.fineTicks = spec.nameBelow = spec.readNearest = true;
    spec.integerX = false;
    chooseRange(chart, spec);
    spec.tooltip = look.tooltip;
    spec.views = look.views;
    spec.svg = look.svg;
    std::vector<PlotCurve> curves;
    std::vector<std::vector<double>> lost;
    for (const experiments::ChartCurve& curve : chart.curves)
        for (auto& at = lost.emplace_back(); const auto& run : curve.lost) at.push_back(run.x);
    const std::vector<Style> styles = stylesOf(chart, look);
    for (std::size_t c = 0; c < chart.curves.size(); ++c) {
        const experiments::ChartCurve& curve = chart.curves[c];
        curves.push_back({.name = curve.name,
                          .style = styles[c],
                          .x = curve.x,
                          .y = curve.y,
                          .labels = curve.labels,
                          .lost = lost[c]});
    }
    return drawPlot(spec, curves, size, look.theme, layout);
}

void drawCharts(std::span<const experiments::Chart> charts, const std::string& title, ImVec2 size,
                const ChartLook& look, LayoutMap& layout) {
    const UiTheme& theme = look.theme;
    const Pen pen(*ImGui::GetWindowDrawList(), look.svg);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float y = corner.y;
    {
        const FontScope strong(theme.strong);
        pen.words(corner, theme.colors.text, title, true);
        y += ImGui::GetTextLineHeightWithSpacing();
    }
    std::vector<std::string> notes;
    for (const experiments::Chart& chart : charts)
        if (!chart.note.empty() && std::find(notes.begin(), notes.end(), chart.note) == notes.end())
            notes.push_back(chart.note);
    constexpr int kMostLines = 6;
    for (const std::string& note : notes)
        for (const std::string& line : wrapped(note, size.x, kMostLines)) {
            pen.words({corner.x, y}, theme.colors.quiet, line);
            y += ImGui::GetTextLineHeightWithSpacing();
        }

    const ImVec2 from{corner.x, std::floor(y + theme.px(4))};  // whole pixels: lines stay sharp
    const auto count = int(charts.size());
    const int columns = count > 1 ? 2 : 1, rows = (count + columns - 1) / columns;
    const float gap = theme.px(24);
    const ImVec2 cell{(size.x - gap * float(columns - 1)) / float(columns),
                      (size.y - (from.y - corner.y) - gap * 0.6f * float(rows - 1)) / float(rows)};
    for (int i = 0; i < count; ++i) {
        const int inRow = i % columns, inColumn = i / columns;
        const auto column = float(inRow), row = float(inColumn);
        ImGui::SetCursorScreenPos({from.x + column * (cell.x + gap), from.y + row * (cell.y + 0.6f * gap)});
        drawChart(charts[i], fmt::format("chart.{}", i), cell, look, layout);
    }
}

}  // namespace clothlab::app::widgets
