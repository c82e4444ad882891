#pragma once

#include "widgets/plots/plot_part.hpp"

namespace clothlab::app::widgets {

/// The menu of a plot, opened by a right click: back to all, copies and files.
void plotMenu(const PlotFrame& frame, PlotPart& part, bool hovered);
/// That this is a part, and the way back, for who points at it; else the colour of the axis' name says it.
void drawPartWords(const PlotFrame& frame, const PlotPart& part);

}  // namespace clothlab::app::widgets
