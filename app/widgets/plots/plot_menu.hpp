#pragma once

#include "widgets/plots/plot_part.hpp"

namespace clothlab::app::widgets {

/// The menu of a plot, opened by a right click: back to all, copies and files.
void plotMenu(const PlotFrame& frame, PlotPart& part, bool hovered);
/// Shows that this is only a part, and how to go back, under the pointer; else the colour of the axis' name shows it.
void drawPartWords(const PlotFrame& frame, const PlotPart& part);

}  // namespace clothlab::app::widgets
