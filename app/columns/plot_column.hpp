#pragma once

#include <vector>

#include "panels/plots/motion_plots.hpp"

namespace clothlab::app::columns {

/// The right column: plots of what the solves and the motion do.
class PlotColumn : panels::WindowPart {
public:
    explicit PlotColumn(const panels::PanelContext& context) : WindowPart(context), plots_(context) {}
    void build(const panels::Region& region);

private:
    static constexpr float kTitle = 0.55f;  ///< of the width: a note stands at the right
    bool isLarge(panels::MotionPlot plot) const;
    void title(const panels::MotionPlotEntry& entry, ImVec2 at, float width);

    panels::MotionPlots plots_;
};

}  // namespace clothlab::app::columns
