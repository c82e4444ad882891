#pragma once

#include <string>
#include <vector>

#include "model/motion_plot.hpp"
#include "panels/panel_context.hpp"
#include "panels/plots/plot_window.hpp"

namespace clothlab::app::panels {

/// Draws them at the cursor: in the right column all that say something now, in the panel of plots one.
class MotionPlots : WindowPart {
public:
    explicit MotionPlots(const PanelContext& context) : WindowPart(context) {}

    /// Whether it says something of what is simulated now, and may be seen.
    bool shown(model::MotionPlot plot) const;
    /// `xTicks`: over steps the axis has its words; a low column leaves them to the last plot.
    void draw(model::MotionPlot plot, ImVec2 size, bool xTicks);
    /// Why it has nothing to show as long as the integrator is this one: it is then a heading with a line, without
    /// axes. Empty: it has, or may have soon.
    std::string nothing(model::MotionPlot plot) const;
    /// Pixels of such a heading with its line.
    float heightOfNothing() const;
    /// Pixels that the words under a plot of this width take.
    float heightBelow(model::MotionPlot plot, float width) const;
    /// A list of all numbers of a report, of which one has a plot of its own.
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
