#include "panels/plot_history.hpp"

#include <algorithm>

namespace clothlab::app::panels {
void PlotHistory::clear() { dropFrom(0); }

void PlotHistory::dropFrom(std::size_t index) {
    steps_.resize(index);
    methods_.resize(index, Method{});
    for (auto& values : values_) values.resize(index);
}

std::size_t PlotHistory::firstFrom(double step) const {
    return std::size_t(std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin());
}

void PlotHistory::push(const worker::ReportEntry& entry) {
    if (entry.cleared) {
        clear();
        return;
    }
    const simulation::StepReport& r = entry.report;
    if (integrators::hasFailed(r.status)) return;  // no state came of it
    dropFrom(firstFrom(double(r.step)));
    steps_.push_back(double(r.step));
    methods_.push_back({r.methods.integrator, r.methods.solver.kind, r.methods.preconditioner.kind});
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k].push_back(simulation::kReportColumns[k].value(r));
    if (steps_.size() < 2 * limit_) return;
    const auto drop = std::ptrdiff_t(steps_.size() - limit_);
    steps_.erase(steps_.begin(), steps_.begin() + drop);
    methods_.erase(methods_.begin(), methods_.begin() + drop);
    for (auto& values : values_) values.erase(values.begin(), values.begin() + drop);
}

}  // namespace clothlab::app::panels
