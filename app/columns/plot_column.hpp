#pragma once

#include <vector>

#include "panels/panel_context.hpp"

namespace clothlab::app::columns {

/// The right column: what the solve and the motion do. Its plots of the motion are in motion_plots.cpp.
class PlotColumn : panels::WindowPart {
public:
    explicit PlotColumn(const panels::PanelContext& context) : WindowPart(context) {}
    void build(const panels::Region& region);

private:
    void residualPlot(ImVec2 size);
    void iterationsPlot(ImVec2 size);
    void timeStepPlot(ImVec2 size);
    void componentsPlot(ImVec2 size);

    void stagesPlot(ImVec2 size);
    void energyPlot(ImVec2 size);
    void strainPlot(ImVec2 size);
    void alsoPlot(ImVec2 size);
    void alsoChooser();
    void ghostPlot(ImVec2 size);

    std::vector<double> iterationsAxis_, residuals_;  ///< scratch of the plots
    std::vector<std::vector<double>> perMethod_;
    bool tightPlots_ = false;  ///< the plots over steps share one axis
};

}  // namespace clothlab::app::columns
