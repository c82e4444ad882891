#include "panels/plots/plot_panel.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actions/actions.hpp"
#include "simulation/report_columns.hpp"

namespace clothlab::app::panels {

using actions::actionKey;
using model::MotionPlot;
using model::MotionPlotEntry;
using model::motionPlots;

namespace {
constexpr float kOfCentre = 0.4f, kOfRoom = 0.58f;  // of the height; a room looks at the plot
}

/// Another number has a name of its own.
std::string_view PlotPanel::plotName(const MotionPlotEntry& entry) const {
    const int also = model_.looks.alsoPlot;
    return entry.plot == MotionPlot::Also && also >= 0 ? simulation::kReportColumns[also].label : entry.name;
}

float PlotPanel::build(const Region& centre, float bottom) {
    const float margin = theme_.px(14), top = centre.y + theme_.px(64);
    const float wanted = model_.looks.presenter ? kOfRoom * (bottom - centre.y) : kOfCentre * centre.height;
    const float height = std::min(bottom - top, std::max(theme_.px(190), wanted));
    widgets::FloatingPanel panel("plots", {centre.x + margin, bottom - height}, {centre.width - 2 * margin, height},
                                 theme_, layout_);
    if (panel.heading("Plots", widgets_, fmt::format("Closes the plot (key {}).", actionKey("plots.toggle"))))
        model_.closePanel();
    ImGui::SameLine(0, theme_.px(12));
    std::vector<EnumEntry> choices;
    for (const MotionPlotEntry& entry : motionPlots())
        if (plots_.shown(entry.plot)) choices.push_back({int(entry.plot), entry.key, plotName(entry), ""});
    int chosen = int(model_.looks.largePlot);
    if (!plots_.shown(model_.looks.largePlot)) chosen = choices.front().value;
    const float room = ImGui::GetContentRegionAvail().x - theme_.px(40);
    if (widgets_.choice("plots/which", choices, chosen, std::min(room, theme_.px(220))) ||
        !plots_.shown(model_.looks.largePlot))
        model_.looks.largePlot = MotionPlot(chosen);
    plots_.draw(MotionPlot(chosen), ImGui::GetContentRegionAvail(), true);
    return height;
}

}  // namespace clothlab::app::panels
