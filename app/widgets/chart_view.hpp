#pragma once

#include <span>
#include <string>

#include "simulation/chart.hpp"
#include "widgets/layout_map.hpp"
#include "widgets/plot.hpp"
#include "widgets/ui_theme.hpp"

namespace clothlab::app {

/// One chart at the cursor, marked as `id` in the layout.
PlotReadout drawChart(const simulation::Chart& chart, const std::string& id, ImVec2 size, const Theme& theme,
                      LayoutMap& layout, bool tooltip = true);

/// Draws a title, what there is to note, and the charts in one or two columns, at the cursor, into `size`. Marks
/// "chart.0", "chart.1", ... in the layout.
void drawCharts(std::span<const simulation::Chart> charts, const std::string& title, ImVec2 size, const Theme& theme,
                LayoutMap& layout);

}  // namespace clothlab::app
