#pragma once

#include <string>
#include <vector>

#include "model/motion_plot.hpp"
#include "panels/panel_context.hpp"
#include "panels/plots/plot_window.hpp"

namespace clothlab::app::panels {

/// Draws the plots of the motion at the cursor: all relevant ones in the right column, one in the panel of plots.
class MotionPlots : WindowPart {
public:
    explicit MotionPlots(const PanelContext& context) : WindowPart(context) {}

    /// Whether the plot is relevant to the current simulation, and may be seen.
    bool shown(model::MotionPlot plot) const;
    /// `xTicks`: the axis of steps has labels; a low column leaves them to the last plot.
    void draw(model::MotionPlot plot, ImVec2 size, bool xTicks);
    /// Why the plot has no data with the current integrator: it is then a heading with a line, without axes. Empty: it
    /// has data, or may have soon.
    std::string nothing(model::MotionPlot plot) const;
    /// Pixels of such a heading with its line.
    float heightOfNothing() const;
    /// Height in pixels of the text under a plot of this width.
    float heightBelow(model::MotionPlot plot, float width) const;
    /// A list of all columns of a report, from which one gets a plot of its own.
    void alsoChooser();

private:
    void sayNothing(model::MotionPlot plot, const std::string& why, ImVec2 size);
    void residualPlot(ImVec2 size);
    void iterationsPlot(ImVec2 size);
    void timeStepPlot(ImVec2 size);
    void componentsPlot(ImVec2 size);

    void stagesPlot(ImVec2 size);
    void contactLine(const std::vector<std::string>& lines, float width);
    void energyPlot(ImVec2 size);
    void strainPlot(ImVec2 size);
    void alsoPlot(ImVec2 size);
    void ghostPlot(ImVec2 size);
    std::string ghostsBelow() const;
    void millimetresSince(std::int64_t start, std::span<const double> metres, const PlotWindow& window,
                          std::vector<double>& out) const;
    void furtherCurves(const PlotWindow& window, std::vector<std::string>& names,
                       std::vector<widgets::PlotCurve>& curves);

    std::vector<double> iterationsAxis_, residuals_;  ///< scratch of the plots
    std::vector<std::vector<double>> perMethod_;
    bool xTicks_ = true;
};

}  // namespace clothlab::app::panels
