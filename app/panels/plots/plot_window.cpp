#include "panels/plots/plot_window.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::app::panels {

using model::Looks;
using model::PlotHistory;
using model::UiModel;

namespace {

/// A short motion fills the axis, which grows in a few jumps.
double axisSpan(const UiModel& model, double last) {
    if (model.looks.stepsShown < Looks::kMostStepsShown) return model.looks.stepsShown;  // of a film, all of it
    for (const double span : {20, 50, 100, 200})
        if (last <= span) return span;
    return model.looks.stepsShown;
}

}  // namespace

PlotWindow PlotWindow::of(const UiModel& model) {
    const PlotHistory& history = model.history;
    const auto shownStep = double(model.snapshot->step), last = std::max(history.lastStep(), shownStep);
    const double span = axisSpan(model, last);
    double to = std::max(last, span);
    if (shownStep < to - span) to = shownStep + span / 2;
    PlotWindow w{{to - span, to}, {to - span, std::max(to, last)}, 0, 0, 0, 0};
    if (!history.empty()) w.whole.min = std::min(w.whole.min, history.steps().front());
    const widgets::PlotRange shown = model.plotViews.shown(kStepsAxis).value_or(w.usual);
    w.first = history.firstFrom(shown.min);
    std::size_t end = history.firstFrom(shown.max + 0.5);
    w.firstInside = w.first;
    w.countInside = history.firstFrom(std::nextafter(shown.max, INFINITY)) - w.first;
    if (w.first > 0) --w.first;
    if (end < history.size()) ++end;
    w.count = end - w.first;
    return w;
}

static std::optional<double> cursorStep(const UiModel& model) {
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
    spec.xMin = window.usual.min;
    spec.xMax = window.usual.max;
    spec.cursor = cursorStep(model);
    spec.xTicks = xTicks;
    spec.xAxis = kStepsAxis;
    spec.notes = model.history.notes();
    spec.xWhole = window.whole;
    return spec;
}

}  // namespace clothlab::app::panels
