#pragma once

#include "widgets/plots/plot_frame.hpp"

// Text and lines around and over the curves of a plot.
namespace clothlab::app::widgets {

/// Title, unit, and the note at the right.
void drawHeading(const PlotFrame& frame);
/// The threshold, and the line at the state shown.
void drawLevels(const PlotFrame& frame);
/// A line from the top to the bottom with a foot; for a note over several steps, a band.
void drawNotes(const PlotFrame& frame);
/// For paper, which has no pointer: prints the notes beside their marks, over the curves.
void drawNoteWords(const PlotFrame& frame);
/// The caption, at the upper right, inside.
void drawCaption(const PlotFrame& frame);
/// A text in place of curves.
void drawCentred(const PlotFrame& frame, std::string_view text);

}  // namespace clothlab::app::widgets
