#pragma once

#include "widgets/plots/plot_frame.hpp"

// What a plot says under the pointer.
namespace clothlab::app::widgets {

/// Fills the readout of the frame.
void readOut(PlotFrame& frame);
/// Cross-hair and words.
void drawReadout(const PlotFrame& frame);

}  // namespace clothlab::app::widgets
