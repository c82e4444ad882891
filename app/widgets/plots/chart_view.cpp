#include "widgets/plots/chart_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "widgets/pen.hpp"
#include "widgets/plots/figure.hpp"
#include "widgets/plots/plot.hpp"
#include "widgets/plots/plot_legend.hpp"
#include "widgets/plots/plot_strokes.hpp"
#include "widgets/scopes.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::widgets {
namespace {

/// No two curves of a chart look alike: where they would, the later one has another mark.
std::vector<Style> distinctStyles(const experiments::Chart& chart, const ChartLook& look) {
    std::vector<Style> styles;
    for (std::size_t c = 0; c < chart.curves.size(); ++c) {
        Style style = look.pickStyle(chart.curves[c].name, c);
        for (std::size_t n = 1; n < kMarkKinds && std::ranges::find(styles, style) != styles.end(); ++n)
            style.mark = variantMark(n);
        styles.push_back(style);
    }
    if (look.paper) return paperStyles(std::move(styles), chart.marks);
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
    const bool one = !(high > low);  // a single step
    const Axis axis = chart.logX    ? fineLogAxis(low, high, kTicks)
                      : one         ? linearAxis(0, 2 * high, kTicks, true)
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
    spec.source = look.source;
    spec.svg = look.svg;
    spec.legend = look.legend;
    std::vector<PlotCurve> curves;
    std::vector<std::vector<double>> lost;
    for (const experiments::ChartCurve& curve : chart.curves)
        for (auto& at = lost.emplace_back(); const auto& run : curve.lost) at.push_back(run.x);
    const std::vector<Style> styles = distinctStyles(chart, look);
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

namespace {

/// Many curves that all charts share have one legend, over the whole width and a quarter of the height at most. Returns
/// where it ends, or `y`.
float sharedLegend(std::span<const experiments::Chart> charts, ImVec2 at, ImVec2 size, const ChartLook& look,
                   const Pen& pen) {
    constexpr std::size_t kFew = 4;
    const auto names = [](const experiments::Chart& chart) {
        std::vector<std::string> all;
        for (const experiments::ChartCurve& curve : chart.curves) all.push_back(curve.name);
        return all;
    };
    if (charts.size() < 2 || charts[0].curves.size() <= kFew) return at.y;
    for (const experiments::Chart& chart : charts)
        if (names(chart) != names(charts[0])) return at.y;
    const std::vector<Style> styles = distinctStyles(charts[0], look);
    const FontScope font(look.theme.small);
    const float swatch = look.theme.px(16), line = ImGui::GetTextLineHeight();
    const std::vector<std::string> all = names(charts[0]);
    const std::vector<std::string_view> views(all.begin(), all.end());
    constexpr float kMost = 0.25f;  // of the picture
    const Legend legend = layOutLegend(views, {.corner = at,
                                               .width = size.x,
                                               .line = line,
                                               .swatch = swatch,
                                               .gap = look.theme.px(10),
                                               .rows = std::max(1, int(kMost * size.y / line))});
    for (const LegendName& name : legend.names) {
        drawSwatch(pen, {name.min.x, name.min.y + line * 0.5f - look.theme.px(3.5f)},
                   {swatch - look.theme.px(4), look.theme.px(7)}, styles[name.curve], look.theme);
        pen.words({name.min.x + swatch, name.min.y}, look.theme.colors.quiet, name.words);
    }
    if (!legend.all()) pen.words(legend.moreMin, look.theme.colors.quiet, legend.more);
    return at.y + float(legend.rows) * line + look.theme.px(4);
}

}  // namespace

void drawCharts(std::span<const experiments::Chart> charts, const std::string& title, ImVec2 size,
                const ChartLook& look, LayoutMap& layout) {
    const UiTheme& theme = look.theme;
    const Pen pen(*ImGui::GetWindowDrawList(), look.svg);
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    float y = corner.y;
    {
        const FontScope strong(theme.strong);
        pen.words(corner, theme.colors.text, fitted(title, size.x), true);
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

    const float end = sharedLegend(charts, {corner.x, y}, size, look, pen);
    ChartLook each = look;
    each.legend = end == y;
    y = end;
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
        drawChart(charts[i], fmt::format("chart.{}", i), cell, each, layout);
    }
}

}  // namespace clothlab::app::widgets
