#pragma once

#include "panels/plots/motion_plots.hpp"

namespace clothlab::app::panels {

/// One plot of the motion, large, under the cloth: for an audience, or where the column's plots are too small.
class PlotPanel final : public ClothPanel {
public:
    explicit PlotPanel(const PanelContext& context) : ClothPanel(context), plots_(context) {}
    float build(const Region& centre, float bottom) override;

private:
    std::string_view plotName(const model::MotionPlotEntry& entry) const;

    MotionPlots plots_;
};

}  // namespace clothlab::app::panels
