#include "panels/plots/motion_plots.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "model/method_styles.hpp"
#include "panels/plots/contact_words.hpp"
#include "panels/plots/plot_window.hpp"
#include "widgets/numbers.hpp"
#include "widgets/plots/plot.hpp"
#include "widgets/scopes.hpp"

// Plots of the motion: times, energies, strains, the ghost, and any other number of a report.
namespace clothlab::app::panels {

using model::energyStyles;
using model::MotionPlot;
using model::NamedStyle;
using model::PlotHistory;
using model::stageStyles;
using model::UiModel;

namespace hue = widgets::hue;
using widgets::Dash;
using widgets::formatNumber;
using widgets::PlotCurve;
using widgets::PlotSpec;
using widgets::seriesStyle;
using worker::Snapshot;

namespace {

/// Curves over steps: a series with each name.
template <std::size_t N>
std::vector<PlotCurve> makeCurves(const PlotWindow& window, const PlotHistory& history,
                                  std::span<const NamedStyle, N> styles, const PlotHistory::Column (&series)[N]) {
    std::vector<PlotCurve> curves;
    for (std::size_t k = 0; k < N; ++k)
        curves.push_back(
            {styles[k].name, styles[k].style, window.cut(history.steps()), window.cut(history.values(series[k]))});
    return curves;
}

/// The step has not one length: by its schedule, or because somebody has changed it lately.
bool stepsVary(const UiModel& model) {
    if (model.snapshot->settings.integrator.dtSchedule != integrators::DtSchedule::Fixed) return true;
    const auto dt = PlotWindow::of(model).cut(model.history.values("dt"));
    return std::ranges::any_of(dt, [&](double length) { return length != dt.front(); });
}

}  // namespace

bool MotionPlots::shown(MotionPlot plot) const {
    const bool seen = !model_.looks.blind;  // these plots would give away the answer of a blind test
    switch (plot) {
        case MotionPlot::Ghost:
            return model_.snapshot->ghost.present;
        case MotionPlot::Residual:
        case MotionPlot::Iterations:
        case MotionPlot::Stages:
            return seen;
        case MotionPlot::TimeStep:
            return stepsVary(model_);
        case MotionPlot::Components:
            return model_.settings.solver.decompose;
        case MotionPlot::Also:
            return model_.looks.alsoPlot >= 0 && seen;
        default:
            return true;
    }
}

void MotionPlots::draw(MotionPlot plot, ImVec2 size, bool xTicks) {
    xTicks_ = xTicks;
    if (const std::string why = nothing(plot); !why.empty()) return sayNothing(plot, why, size);
    switch (plot) {
        case MotionPlot::Ghost:
            return ghostPlot(size);
        case MotionPlot::Residual:
            return residualPlot(size);
        case MotionPlot::Iterations:
            return iterationsPlot(size);
        case MotionPlot::TimeStep:
            return timeStepPlot(size);
        case MotionPlot::Components:
            return componentsPlot(size);
        case MotionPlot::Stages:
            return stagesPlot(size);
        case MotionPlot::Energy:
            return energyPlot(size);
        case MotionPlot::Also:
            return alsoPlot(size);
        case MotionPlot::Strain:
            return strainPlot(size);
    }
}

void MotionPlots::stagesPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const PlotWindow window = PlotWindow::of(model_);
    constexpr PlotHistory::Column kSeries[] = {"contact_ms", "assemble_ms", "set_up_ms", "solve_ms", "other_ms"};
    const auto curves = makeCurves(window, history, stageStyles(), kSeries);
    PlotSpec spec = overSteps(model_, window, xTicks_, "plot.stages", "Time per step", "ms");
    spec.stacked = true;
    spec.times = true;
    const std::string note = history.empty() ? "" : formatNumber(model_.snapshot->report.stepMs, 3) + " ms";
    spec.note = note;
    const ContactWords contact = contactWords(model_, window);
    const std::string help = "What the step shown took on the wall clock, all stages together." +
                             (contact.help.empty() ? "" : "\n" + contact.help);
    spec.noteHelp = help;
    // The line has its room from this plot, as long as that stays readable: nothing else moves for it.
    const float line = theme_.small->FontSize + theme_.px(3);
    const bool said = !contact.lines.empty() && size.y - line >= widgets::leastPlotHeight(theme_, xTicks_);
    const ImGuiStyle& style = ImGui::GetStyle();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {style.ItemSpacing.x, said ? theme_.px(3) : style.ItemSpacing.y});
    drawPlot(spec, curves, {size.x, said ? size.y - line : size.y});
    ImGui::PopStyleVar();
    if (said) contactLine(contact.lines, size.x);
}

/// The longest that fits.
void MotionPlots::contactLine(const std::vector<std::string>& lines, float width) {
    const widgets::FontScope font(theme_.small);
    const auto fits = [&](const std::string& line) { return ImGui::CalcTextSize(line.c_str()).x <= width; };
    const auto at = std::ranges::find_if(lines, fits);
    const std::string line = at == lines.end() ? widgets::fitted(lines.back(), width) : *at;
    ImGui::TextColored(theme_.quiet(), "%s", line.c_str());
    layout_.markLast("plot.stages.contact");
    layout_.words("plot.stages.contact", line);
}

void MotionPlots::energyPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const PlotWindow window = PlotWindow::of(model_);
    constexpr PlotHistory::Column kSeries[] = {"total_j", "kinetic_j", "elastic_j", "gravity_j"};
    const auto curves = makeCurves(window, history, energyStyles(), kSeries);
    PlotSpec spec = overSteps(model_, window, xTicks_, "plot.energy", "Energy", "J");
    const std::string note = history.empty() ? "" : "total " + formatNumber(model_.snapshot->report.totalJ(), 3);
    spec.note = note;
    spec.noteHelp =
        "Kinetic, elastic and gravity's energy together, J. Damping, drag, friction and implicit steps reduce it; "
        "wind, a hand and what moves add to it. Spikes of a few steps that nothing has caused come from slack "
        "springs, which are not in the matrix and are overstretched: 'keep slack Jacobians' or 'repeats' ends them.";
    drawPlot(spec, curves, size);
}

/// Strains of the springs that the overlay "strain" colours; bend springs are in neither.
void MotionPlots::strainPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const PlotWindow window = PlotWindow::of(model_);
    const auto percent = [&](PlotHistory::Column s, std::vector<double>& out) {
        out.clear();
        for (const double strain : window.cut(history.values(s))) out.push_back(100 * strain);
        return std::span<const double>(out);
    };
    perMethod_.resize(2);
    const auto steps = window.cut(history.steps());
    const PlotCurve curves[] = {
        {"stretch springs", hue::kStress, steps, percent("max_strain", perMethod_[0])},
        {"shear springs", {seriesStyle(1).color, Dash::Dashed}, steps, percent("max_shear_strain", perMethod_[1])}};
    PlotSpec spec = overSteps(model_, window, true, "plot.strain", "Largest strain", "%");
    spec.fromZero = true;
    const simulation::StepReport& report = model_.snapshot->report;
    const std::string note = history.empty() ? ""
                                             : fmt::format("{} · {} %", formatNumber(100 * report.maxStrain, 3),
                                                           formatNumber(100 * report.maxShearStrain, 3));
    spec.note = note;
    spec.noteHelp =
        "The largest (l - L)/L of the stretch springs, and of the shear springs, in the state shown. The overlay "
        "\"strain\" colours both. Spikes of a few steps that nothing has caused: see 'keep slack Jacobians'.";
    drawPlot(spec, curves, size);
}

/// Any other number that a step reports.
void MotionPlots::alsoChooser() {
    static const std::vector<std::string> labels = [] {
        std::vector<std::string> out;
        out.reserve(simulation::kReportColumns.size());
        for (const simulation::ReportColumn& column : simulation::kReportColumns)
            out.push_back(fmt::format("{}{}{}", column.label, column.unit.empty() ? "" : ", ", column.unit));
        return out;
    }();
    static const std::vector<EnumEntry> entries = [] {
        std::vector<EnumEntry> out{{-1, "nothing", "nothing more", "Only the plots that are always here."}};
        for (std::size_t k = 0; k < labels.size(); ++k)
            out.push_back({int(k), simulation::kReportColumns[k].key, labels[k], simulation::kReportColumns[k].help});
        return out;
    }();
    const widgets::FontScope font(theme_.small);
    ImGui::AlignTextToFramePadding();
    ImGui::TextColored(theme_.quiet(), "Also plot");
    ImGui::SameLine();
    widgets_.choice("plot.also_choice", entries, model_.looks.alsoPlot, ImGui::GetContentRegionAvail().x);
}

void MotionPlots::alsoPlot(ImVec2 size) {
    const simulation::ReportColumn& column = simulation::kReportColumns[model_.looks.alsoPlot];
    const PlotHistory& history = model_.history;
    const PlotWindow window = PlotWindow::of(model_);
    const PlotCurve curve{column.label, seriesStyle(0), window.cut(history.steps()),
                          window.cut(history.values(PlotHistory::Column(std::size_t(model_.looks.alsoPlot))))};
    std::string title(column.label);
    title[0] = char(std::toupper(static_cast<unsigned char>(title[0])));
    PlotSpec spec = overSteps(model_, window, xTicks_, "plot.also", title, column.unit);
    const double now = column.value(model_.snapshot->report);
    const std::string note = history.empty() || std::isnan(now) ? "" : formatNumber(now, 4);
    spec.note = note;
    spec.noteHelp = column.help;
    spec.times = column.key.ends_with("_ms");
    spec.emptyText = "no step reports it here";
    drawPlot(spec, {&curve, 1}, size);
}

}  // namespace clothlab::app::panels
