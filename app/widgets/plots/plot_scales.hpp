#pragma once

#include "widgets/plots/plot_frame.hpp"
#include "widgets/plots/plot_part.hpp"

namespace clothlab::app::widgets {

/// The axes of a plot from its values and the part that is shown, with their labels.
void chooseScales(PlotFrame& frame, PlotPart& part);
/// The ground, the levels of the y axis, and the x axis.
void drawScales(const PlotFrame& frame, const PlotPart& part);

}  // namespace clothlab::app::widgets
