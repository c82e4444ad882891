#pragma once

#include <vector>

#include "experiments/charts/chart.hpp"
#include "panels/panel_context.hpp"
#include "widgets/plots/plot.hpp"

namespace clothlab::app::panels {

/// Work and precision over the picture: integrators are run from the state shown over a set of step sizes, and the
/// error against a fine reference is drawn over the time spent; or a sweep's file is. A click on a point activates its
/// integrator and step size.
class WorkPanel final : public ClothPanel {
public:
    explicit WorkPanel(const PanelContext& context) : ClothPanel(context) {}
    float build(const Region& centre, float bottom) override;

private:
    void buttons(bool low);
    void fileLine();
    void choices();
    void integratorChoice();
    void choice(const char* id, const char* label, std::span<const EnumEntry> table, int& value, float width,
                std::string_view help);
    void progressBar();
    void plot(ImVec2 size);
    void pointTooltip(const experiments::ChartCurve& curve, const widgets::PlotReadout& readout) const;
    void words();
    void warnings(const worker::WorkProgress& progress);
    void makeChart();
    const records::Entries& findRecord(const experiments::ChartCurve& curve, const widgets::PlotReadout& readout) const;

    std::vector<experiments::Chart> charts_;  ///< one, or none
    std::string chartProblem_, orders_, timesNote_;
    bool stale_ = false;             ///< computed with other settings or another cloth
    std::uint64_t chartSerial_ = 0;  ///< serial of the chart's data
    std::size_t chartRecords_ = 0;
    bool chartRms_ = false, chartOverStep_ = false;
};

}  // namespace clothlab::app::panels
