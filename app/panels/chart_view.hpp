#pragma once

#include <span>
#include <string>

#include "experiments/chart.hpp"
#include "panels/layout_map.hpp"
#include "panels/plot.hpp"
#include "panels/theme.hpp"

namespace clothlab::app {

/// One chart at the cursor, marked as `id` in the layout.
PlotReadout drawChart(const experiments::Chart& chart, const std::string& id, ImVec2 size, const Theme& theme,
                      LayoutMap& layout, bool tooltip = true);

/// Draws a title, what there is to note, and the charts in one or two columns, at the cursor, into `size`. Marks
/// "chart.0", "chart.1", ... in the layout.
void drawCharts(std::span<const experiments::Chart> charts, const std::string& title, ImVec2 size, const Theme& theme,
                LayoutMap& layout);

}  // namespace clothlab::app
