#pragma once

#include "widgets/plots/plot_frame.hpp"

// Readout of a plot under the pointer.
namespace clothlab::app::widgets {

/// Fills the readout of the frame.
void readOut(PlotFrame& frame);
/// Draws cross-hair and text.
void drawReadout(const PlotFrame& frame);

}  // namespace clothlab::app::widgets
