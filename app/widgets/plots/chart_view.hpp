#pragma once

#include <span>
#include <string>

#include "experiments/charts/chart.hpp"
#include "widgets/layout_map.hpp"
#include "widgets/plots/plot.hpp"
#include "widgets/ui_theme.hpp"

namespace clothlab::app::widgets {

/// How charts are drawn, independent of their data.
struct ChartLook {
    const UiTheme& theme;
    Style (*pickStyle)(const std::string& name, std::size_t n);  ///< of the n-th curve of a chart
    bool tooltip = true;                                         ///< with the values under the pointer
    PlotViews* views = nullptr;                                  ///< for input; none: a picture
    bool legend = true;
    bool paper = false;  ///< curves differ by dash and mark, too (paperStyles of plots/figure.hpp)
    std::function<std::vector<std::string>()> source = {};  ///< as of a plot (plots/plot.hpp)
    std::string* svg = nullptr;                             ///< also receives the drawing as elements of SVG
};

/// One chart at the cursor, marked as `id` in the layout.
PlotReadout drawChart(const experiments::Chart& chart, const std::string& id, ImVec2 size, const ChartLook& look,
                      LayoutMap& layout);

/// Draws a title, notes, and the charts in one or two columns, at the cursor, into `size`. Marks "chart.0", "chart.1",
/// ... in the layout.
void drawCharts(std::span<const experiments::Chart> charts, const std::string& title, ImVec2 size,
                const ChartLook& look, LayoutMap& layout);

}  // namespace clothlab::app::widgets
