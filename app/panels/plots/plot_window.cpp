#include "panels/plots/plot_window.hpp"

#include <algorithm>

namespace clothlab::app::panels {

PlotWindow PlotWindow::of(const UiModel& model) {
    const PlotHistory& history = model.history;
    const std::int64_t shownStep = model.snapshot->step;
    const double span = model.stepsShown;
    const double last = history.empty() ? double(shownStep) : history.steps().back();
    double to = std::max(last, span);
    if (double(shownStep) < to - span) to = double(shownStep) + span / 2;
    PlotWindow w{to - span, to, 0, 0};
    if (const auto chosen = model.plotViews.shown(kStepsAxis); chosen && chosen->min < std::max(last, span))
        w.from = chosen->min, w.to = to = chosen->max;
    w.first = history.firstFrom(w.from);
    w.count = history.firstFrom(to + 0.5) - w.first;
    return w;
}

static std::optional<double> cursorOf(const UiModel& model) {
    const auto step = double(model.snapshot->step);
    if (model.history.empty() || step >= model.history.steps().back()) return {};
    return step;
}

widgets::PlotSpec overSteps(const UiModel& model, const PlotWindow& window, bool xTicks, std::string_view id,
                            std::string_view title, std::string_view unit) {
    widgets::PlotSpec spec;
    spec.id = id;
    spec.title = title;
    spec.unit = unit;
    spec.xLabel = "step";
    spec.xMin = window.from;
    spec.xMax = window.to;
    spec.cursor = cursorOf(model);
    spec.xTicks = xTicks;
    spec.xAxis = kStepsAxis;
    spec.notes = model.history.notes();
    const auto& steps = model.history.steps();
    spec.xWhole = widgets::PlotRange{steps.empty() ? 0 : std::min(steps.front(), window.from),
                                     std::max(window.to, steps.empty() ? 1 : steps.back())};
    return spec;
}

}  // namespace clothlab::app::panels
