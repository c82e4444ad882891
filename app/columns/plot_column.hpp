#pragma once

#include <span>

#include "panels/plots/motion_plots.hpp"

namespace clothlab::app::columns {

/// A plot in a column: its share of the room, its least height and its actual height.
struct PlotShare {
    float share, least, height = 0;  ///< pixels; a height given on entry is kept
};
/// Divides `room` pixels among plots by their shares, each at least `least` high. Their sum may exceed a low room if
/// the column scrolls; else `least` is limited to an equal part of the room.
void shareHeights(float room, bool scrolls, std::span<PlotShare> plots);

/// The right column: plots of the solves and the motion.
class PlotColumn : panels::WindowPart {
public:
    explicit PlotColumn(const panels::PanelContext& context) : WindowPart(context), plots_(context) {}
    void build(const panels::Region& region);

private:
    static constexpr float kTitle = 0.55f;  ///< share of the width: a note is at the right
    bool isLarge(model::MotionPlot plot) const;
    void title(const model::MotionPlotEntry& entry, ImVec2 at, float width);

    panels::MotionPlots plots_;
};

}  // namespace clothlab::app::columns
