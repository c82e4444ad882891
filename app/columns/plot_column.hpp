#pragma once

#include <span>

#include "panels/plots/motion_plots.hpp"

namespace clothlab::app::columns {

/// A plot in a column: its share of the room, what it needs, and what it gets.
struct PlotShare {
    float share, least, height = 0;  ///< pixels; one that has a height to begin with keeps it
};
/// Shares `room` pixels among plots that have at least what they need. Together they are higher than the room where it
/// is low; what does not scroll gets no more than its part of it.
void shareHeights(float room, bool scrolls, std::span<PlotShare> plots);

/// The right column: plots of what the solves and the motion do.
class PlotColumn : panels::WindowPart {
public:
    explicit PlotColumn(const panels::PanelContext& context) : WindowPart(context), plots_(context) {}
    void build(const panels::Region& region);

private:
    static constexpr float kTitle = 0.55f;  ///< of the width: a note stands at the right
    bool isLarge(model::MotionPlot plot) const;
    void title(const model::MotionPlotEntry& entry, ImVec2 at, float width);

    panels::MotionPlots plots_;
};

}  // namespace clothlab::app::columns
