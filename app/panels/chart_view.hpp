#pragma once

#include <span>
#include <string>

#include "panels/layout_map.hpp"
#include "panels/theme.hpp"
#include "simulation/chart.hpp"

namespace clothlab::app {

/// Draws a title, what there is to note, and the charts in one or two columns, at the cursor, into `size`. Marks "chart.0",
/// "chart.1", ... in the layout.
void drawCharts(std::span<const simulation::Chart> charts, const std::string& title, ImVec2 size, const Theme& theme, LayoutMap& layout);

}  // namespace clothlab::app
