#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "model/method_styles.hpp"
#include "model/motion_plot.hpp"
#include "panels/plots/motion_plots.hpp"
#include "panels/plots/plot_window.hpp"
#include "panels/plots/residual_words.hpp"
#include "widgets/numbers.hpp"
#include "widgets/plots/plot.hpp"
#include "widgets/scopes.hpp"
#include "widgets/widgets.hpp"

// Plots of the solves: residual, iterations, components, and how long the steps are.
namespace clothlab::app::panels {

using model::methodName;
using model::methodStyle;
using model::MotionPlot;
using model::PlotHistory;

namespace hue = widgets::hue;
using widgets::Dash;
using widgets::formatNumber;
using widgets::PlotCurve;
using widgets::PlotSpec;
using widgets::seriesStyle;
using worker::Snapshot;

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

}  // namespace

std::string MotionPlots::nothing(MotionPlot plot) const {
    const Snapshot& now = *model_.snapshot;
    std::string why = integrators::whyNoSolver(now.settings.integrator.kind);
    if (why.empty()) return {};
    const PlotHistory& history = model_.history;
    const auto someIn = [&](PlotHistory::Column column) {
        return std::ranges::any_of(PlotWindow::of(model_).cut(history.values(column)), [](double v) { return v > 0; });
    };
    switch (plot) {
        case MotionPlot::Residual:
            return now.residualHistory.empty() && !now.report.methods.usesSolver() ? why : "";
        case MotionPlot::Iterations:
            return someIn("linear_iterations") ? "" : why;
        case MotionPlot::Components:
            return someIn("components") ? "" : why;
        default:
            return {};
    }
}

float MotionPlots::heightOfNothing() const { return theme_.strong->FontSize + theme_.px(4) + theme_.small->FontSize; }

void MotionPlots::sayNothing(MotionPlot plot, const std::string& why, ImVec2 size) {
    const widgets::FontScope font(theme_.small);
    const auto entry = std::ranges::find(model::motionPlots(), plot, &model::MotionPlotEntry::plot);
    const std::string id = "plot." + std::string(entry->key), words = widgets::fitted(why, size.x);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float below = at.y + theme_.strong->FontSize + theme_.px(4);
    draw->AddText(theme_.strong, theme_.strong->FontSize, at, theme_.colors.text, std::string(entry->name).c_str());
    draw->AddText(theme_.small, theme_.small->FontSize, {at.x, below}, theme_.colors.quiet, words.c_str());
    ImGui::Dummy(size);
    layout_.markLast(id);
    layout_.words(id, why);
}

/// The step shown as its report has it: a change of settings since then does not rename it.
void MotionPlots::residualPlot(ImVec2 size) {
    const Snapshot& now = *model_.snapshot;
    iterationsAxis_.clear();
    residuals_.clear();
    for (std::size_t i = 0; i < now.residualHistory.size(); ++i) {
        iterationsAxis_.push_back(double(i));
        residuals_.push_back(now.residualHistory[i]);
    }
    const ResidualWords words = residualWords(now);
    PlotSpec spec;
    spec.id = "plot.residual";
    spec.title = "Residual of the solve";
    spec.measure = "relative";
    spec.xLabel = "iteration";
    spec.logY = true;
    const auto iterations = double(iterationsAxis_.size());
    spec.xMax = std::max(5.0, std::ceil((iterations - 1) * 1.02));
    spec.note = words.note;
    spec.noteHelp = words.noteHelp;
    spec.caption = words.caption;
    const std::string name = "tolerance " + formatNumber(words.tolerance, 2);
    if (words.iterates) {
        spec.threshold = words.tolerance;
        spec.thresholdName = name;
    }
    spec.emptyText = words.empty;
    const PlotCurve curve{words.method, words.style, iterationsAxis_, residuals_};
    drawPlot(spec, {&curve, 1}, size);
}

void MotionPlots::iterationsPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const PlotWindow window = PlotWindow::of(model_);
    const auto steps = window.cut(history.steps());
    const auto values = window.cut(history.values("linear_iterations"));
    const auto methods = window.cut(history.methods());

    // One curve a method, in that method's colour; gaps where another one was at work. The six that worked last, the
    // newest first.
    constexpr std::size_t kMost = 6;
    std::vector<PlotHistory::Method> present;
    for (auto m = methods.rbegin(); m != methods.rend() && present.size() < kMost; ++m)
        if (std::find(present.begin(), present.end(), *m) == present.end()) present.push_back(*m);
    perMethod_.resize(present.size());
    std::vector<std::string> names;
    names.reserve(present.size());
    for (const auto& m : present)
        names.push_back(integrators::usesSolver(m.integrator) ? methodName(m.solver, m.preconditioner)
                                                              : std::string(enumLabel(m.integrator)));
    std::vector<PlotCurve> curves;
    for (std::size_t c = 0; c < present.size(); ++c) {
        perMethod_[c].assign(values.begin(), values.end());
        for (std::size_t i = 0; i < methods.size(); ++i)
            if (!(methods[i] == present[c])) perMethod_[c][i] = kNothing;
        const bool solves = integrators::usesSolver(present[c].integrator);
        curves.push_back(
            {names[c],
             solves ? methodStyle(present[c].solver, present[c].preconditioner) : methodStyle(present[c].integrator),
             steps, perMethod_[c]});
    }
    PlotSpec spec = overSteps(model_, window, xTicks_, "plot.iterations", "Iterations per step", "");
    spec.fromZero = true;
    const simulation::StepReport& report = model_.snapshot->report;
    std::string note = values.empty() ? "" : formatNumber(report.linearIterations, 6);
    if (!values.empty() && report.outerIterations > 0)
        note += fmt::format(" in {} pass{}", formatNumber(report.outerIterations, 6),
                            report.outerIterations == 1 ? "" : "es");
    spec.note = note;
    spec.noteHelp =
        "Iterations of all linear solves in the step shown; passes of a method that solves more than once per step.";
    drawPlot(spec, curves, size);
}

/// How long the steps are, the parts that an explicit method takes them in, and how long they may be for what is
/// explicit.
void MotionPlots::timeStepPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const PlotWindow window = PlotWindow::of(model_);
    const auto steps = window.cut(history.steps());
    const auto milliseconds = [&](PlotHistory::Column s, std::vector<double>& out) {
        out.clear();
        for (const double seconds : window.cut(history.values(s))) out.push_back(1e3 * seconds);
        return std::span<const double>(out);
    };
    perMethod_.resize(3);
    const widgets::Style limit(seriesStyle(1).color, Dash::Dashed);
    const PlotCurve all[] = {{"time step", hue::kWhite, steps, milliseconds("dt", perMethod_[0])},
                             {"explicit limit", limit, steps, milliseconds("explicit_limit_s", perMethod_[1])},
                             {"substep", seriesStyle(0), steps, milliseconds("substep_s", perMethod_[2])}};
    std::vector<PlotCurve> curves;
    for (const PlotCurve& curve : all)
        if (std::ranges::any_of(curve.y, [](double y) { return std::isfinite(y); })) curves.push_back(curve);
    PlotSpec spec = overSteps(model_, window, xTicks_, "plot.dt", "Time step", "ms");
    spec.logY = true;
    spec.fineTicks = true;
    spec.headroom = 1.1;
    const simulation::StepReport& report = model_.snapshot->report;
    const std::string longer = report.rejected > 0 ? fmt::format(", after {} longer", report.rejected) : "";
    const std::string note = report.dt > 0 ? formatNumber(1e3 * report.dt, 3) + " ms" + longer : "";
    spec.note = note;
    spec.noteHelp = "The length of the step shown, and how many longer attempts its schedule gave up before.";
    drawPlot(spec, curves, size);
}

/// Both on one axis: how many there are, and how many particles the largest has.
void MotionPlots::componentsPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const PlotWindow window = PlotWindow::of(model_);
    const auto steps = window.cut(history.steps());
    const PlotCurve curves[] = {
        {"components", seriesStyle(0), steps, window.cut(history.values("components"))},
        {"particles of the largest", seriesStyle(1), steps, window.cut(history.values("largest_component"))},
    };
    PlotSpec spec = overSteps(model_, window, xTicks_, "plot.components", "Components", "");
    spec.logY = true;
    spec.least = 1;
    const simulation::StepReport& report = model_.snapshot->report;
    const std::string note = report.components < 0 ? ""
                                                   : fmt::format("{} · largest {}", formatNumber(report.components, 7),
                                                                 formatNumber(report.largestComponent, 7));
    spec.note = note;
    spec.noteHelp = "Components of the implicit graph in the step shown, and particles of the largest.";
    std::string empty = integrators::whyNoSolver(model_.settings.integrator.kind);
    if (empty.empty()) empty = "from the next step on";
    spec.emptyText = empty;
    drawPlot(spec, curves, size);
}

}  // namespace clothlab::app::panels
