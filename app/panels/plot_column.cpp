#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "panels/method_styles.hpp"
#include "panels/residual_words.hpp"
#include "panels/ui.hpp"
#include "widgets/numbers.hpp"
#include "widgets/plot.hpp"

// The right column: what the solve and the motion do.
namespace clothlab::app::panels {

namespace palette = widgets::palette;
using widgets::Dash;
using widgets::drawPlot;
using widgets::formatNumber;
using widgets::PlotCurve;
using widgets::PlotSpec;
using widgets::seriesStyle;
using worker::Snapshot;

namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// The steps that the plots over steps show: the last ones, or those around the state shown.
struct Window {
    double from, to;
    std::size_t first, count;

    static Window of(const UiModel& model) {
        const PlotHistory& history = model.history;
        const std::int64_t shownStep = model.snapshot->step;
        const double span = model.stepsShown;
        const double last = history.empty() ? static_cast<double>(shownStep) : history.steps().back();
        double to = std::max(last, span);
        if (static_cast<double>(shownStep) < to - span) to = static_cast<double>(shownStep) + span / 2;
        Window w{to - span, to, 0, 0};
        w.first = history.firstFrom(w.from);
        w.count = history.firstFrom(to + 0.5) - w.first;
        return w;
    }
    template <class T>
    std::span<const T> cut(std::span<const T> all) const {
        return all.subspan(first, count);
    }
};

std::optional<double> cursorOf(const UiModel& model) {
    const auto step = static_cast<double>(model.snapshot->step);
    if (model.history.empty() || step >= model.history.steps().back()) return {};
    return step;
}

/// All of them have the same axis of steps: where the column is low, the lowest alone has its words.
PlotSpec overSteps(const UiModel& model, const Window& window, bool xTicks, std::string_view id, std::string_view title,
                   std::string_view unit) {
    PlotSpec spec;
    spec.id = id;
    spec.title = title;
    spec.unit = unit;
    spec.xLabel = "step";
    spec.xMin = window.from;
    spec.xMax = window.to;
    spec.cursor = cursorOf(model);
    spec.xTicks = xTicks;
    return spec;
}

/// The step has not one length: by its schedule, or because somebody has changed it lately.
bool stepsVary(const UiModel& model) {
    if (model.snapshot->settings.integrator.dtSchedule != integrators::DtSchedule::Fixed) return true;
    const auto dt = Window::of(model).cut(model.history.values(PlotHistory::Dt));
    return std::ranges::any_of(dt, [&](double length) { return length != dt.front(); });
}

/// Curves over steps: a series with each name.
template <std::size_t N>
std::vector<PlotCurve> curvesOf(const Window& window, const PlotHistory& history, std::span<const NamedStyle, N> styles,
                                const PlotHistory::Series (&series)[N]) {
    std::vector<PlotCurve> curves;
    for (std::size_t k = 0; k < N; ++k)
        curves.push_back(
            {styles[k].name, styles[k].style, window.cut(history.steps()), window.cut(history.values(series[k]))});
    return curves;
}

/// With its unit.
std::string wordsOf(const Field& field) {
    const double* number = std::get_if<double*>(&field.ref) ? *std::get_if<double*>(&field.ref) : nullptr;
    return number ? widgets::formatValue(field.meta, *number) : valueText(field.ref);
}

/// "ghost since step 120: time step 10 ms, here 5 ms"
std::string ghostWords(const Snapshot& now) {
    scene::Settings here = now.settings, there = now.ghost.settings;
    FieldList ours, theirs;
    describe(here, ours);
    describe(there, theirs);
    std::string words;
    for (std::size_t k = 0; k < ours.fields().size(); ++k) {
        const Field &own = ours.fields()[k], &other = theirs.fields()[k];
        if (equalValues(own.ref, other.ref)) continue;
        if (!words.empty()) {
            words += ", ...";
            break;
        }
        words = fmt::format("{} {}, here {}", own.meta.label, wordsOf(other), wordsOf(own));
    }
    return fmt::format("ghost since step {}: {}", now.ghost.startStep, words.empty() ? "the same settings" : words);
}

/// Points a share below which plots over steps leave the axis to the last of them.
constexpr float kTight = 100, kGap = 10;

}  // namespace

void Ui::buildRight(const Region& region) {
    ImGui::SetNextWindowPos({region.x, region.y});
    ImGui::SetNextWindowSize({region.width, region.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(14), theme_.px(12)});
    ImGui::Begin("##right", nullptr,
                 (ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
    const bool decomposed = model_.settings.solver.decompose, ghost = model_.snapshot->ghost.present,
               timed = stepsVary(model_);
    // Each plot and its share of the height; those with a line of names have more.
    struct Row {
        bool shown;
        float share;
        void (Ui::*draw)(ImVec2);
    };
    const Row rows[] = {{ghost, 1.5f, &Ui::ghostPlot},           {true, 1.25f, &Ui::residualPlot},
                        {true, 0.9f, &Ui::iterationsPlot},       {timed, 1.2f, &Ui::timeStepPlot},
                        {decomposed, 1.1f, &Ui::componentsPlot}, {true, 1.15f, &Ui::stagesPlot},
                        {true, 1.15f, &Ui::energyPlot},          {true, 1.35f, &Ui::strainPlot}};
    float shares = 0, count = 0;
    for (const Row& row : rows)
        if (row.shown) shares += row.share, ++count;
    const ImVec2 room = ImGui::GetContentRegionAvail();
    tightPlots_ = (room.y - count * theme_.px(kGap)) / shares < theme_.px(kTight);
    const float gap = theme_.px(tightPlots_ ? kGap / 2 : kGap);
    // A picture does not scroll; a low window does before its plots are lines.
    const float unit = std::max((room.y - count * gap) / shares, theme_.px(model_.handsOn ? 56 : 40));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, gap});
    for (const Row& row : rows)
        if (row.shown) (this->*row.draw)({room.x, unit * row.share});
    ImGui::PopStyleVar();
    ImGui::End();
    ImGui::PopStyleVar();
    ImGui::GetBackgroundDrawList()->AddLine({region.x, region.y}, {region.x, region.y + region.height}, palette::kLine);
}

/// The step shown as its report has it: a change of settings since then does not rename it.
void Ui::residualPlot(ImVec2 size) {
    const Snapshot& now = *model_.snapshot;
    iterationsAxis_.clear();
    residuals_.clear();
    for (std::size_t i = 0; i < now.residualHistory.size(); ++i) {
        iterationsAxis_.push_back(static_cast<double>(i));
        residuals_.push_back(now.residualHistory[i]);
    }
    const ResidualWords words = residualWords(now);
    PlotSpec spec;
    spec.id = "plot.residual";
    spec.title = "Residual of the solve";
    spec.unit = "relative";
    spec.xLabel = "iteration";
    spec.logY = true;
    const auto iterations = static_cast<double>(iterationsAxis_.size());
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
    drawPlot(spec, {&curve, 1}, size, theme_, layout_);
}

void Ui::iterationsPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    const auto steps = window.cut(history.steps());
    const auto values = window.cut(history.values(PlotHistory::Iterations));
    const auto methods = window.cut(history.methods());

    // One curve a method, in that method's colour; gaps where another one was at work. The six that worked last, the
    // newest first.
    constexpr std::size_t kMost = 6;
    std::vector<PlotHistory::Method> present;
    for (auto m = methods.rbegin(); m != methods.rend() && present.size() < kMost; ++m)
        if (std::find(present.begin(), present.end(), *m) == present.end()) present.push_back(*m);
    perMethod_.resize(present.size());
    std::vector<std::string> names;
    for (const auto& m : present)
        names.push_back(integrators::isImplicit(m.integrator) ? methodName(m.solver, m.preconditioner)
                                                              : std::string(enumLabel(m.integrator)));
    std::vector<PlotCurve> curves;
    for (std::size_t c = 0; c < present.size(); ++c) {
        perMethod_[c].assign(values.begin(), values.end());
        for (std::size_t i = 0; i < methods.size(); ++i)
            if (!(methods[i] == present[c])) perMethod_[c][i] = kNothing;
        const bool solves = integrators::isImplicit(present[c].integrator);
        curves.push_back(
            {names[c],
             solves ? methodStyle(present[c].solver, present[c].preconditioner) : methodStyle(present[c].integrator),
             steps, perMethod_[c]});
    }
    PlotSpec spec = overSteps(model_, window, !tightPlots_, "plot.iterations", "Iterations per step", "");
    spec.fromZero = true;
    const std::string note = values.empty() ? "" : formatNumber(model_.snapshot->report.iterations, 6);
    spec.note = note;
    spec.noteHelp = "Iterations of the linear solver in the step shown.";
    spec.legend = false;
    drawPlot(spec, curves, size, theme_, layout_);
}

/// How long the steps are, the parts that an explicit method takes them in, and how long they may be for what is
/// explicit.
void Ui::timeStepPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    const auto steps = window.cut(history.steps());
    const auto milliseconds = [&](PlotHistory::Series s, std::vector<double>& out) {
        out.clear();
        for (const double seconds : window.cut(history.values(s))) out.push_back(1e3 * seconds);
        return std::span<const double>(out);
    };
    perMethod_.resize(3);
    const widgets::Style limit(seriesStyle(1).color, Dash::Dashed);
    const PlotCurve all[] = {{"time step", palette::kWhite, steps, milliseconds(PlotHistory::Dt, perMethod_[0])},
                             {"explicit limit", limit, steps, milliseconds(PlotHistory::ExplicitLimit, perMethod_[1])},
                             {"substep", seriesStyle(0), steps, milliseconds(PlotHistory::Substep, perMethod_[2])}};
    std::vector<PlotCurve> curves;
    for (const PlotCurve& curve : all)
        if (std::ranges::any_of(curve.y, [](double y) { return std::isfinite(y); })) curves.push_back(curve);
    PlotSpec spec = overSteps(model_, window, !tightPlots_, "plot.dt", "Time step", "ms");
    spec.logY = true;
    spec.fineTicks = true;
    spec.headroom = 1.1;
    const simulation::StepReport& report = model_.snapshot->report;
    const std::string longer = report.rejected > 0 ? fmt::format(", after {} longer", report.rejected) : "";
    const std::string note = report.dt > 0 ? formatNumber(1e3 * report.dt, 3) + " ms" + longer : "";
    spec.note = note;
    spec.noteHelp = "The length of the step shown, and how many longer attempts its schedule gave up before.";
    drawPlot(spec, curves, size, theme_, layout_);
}

/// Both on one axis: how many there are, and how many particles the largest has.
void Ui::componentsPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    const auto steps = window.cut(history.steps());
    const PlotCurve curves[] = {
        {"components", seriesStyle(0), steps, window.cut(history.values(PlotHistory::Components))},
        {"particles of the largest", seriesStyle(1), steps, window.cut(history.values(PlotHistory::LargestComponent))},
    };
    PlotSpec spec = overSteps(model_, window, !tightPlots_, "plot.components", "Components", "");
    spec.logY = true;
    spec.least = 1;
    const simulation::StepReport& report = model_.snapshot->report;
    const std::string note = report.components < 0 ? ""
                                                   : fmt::format("{} · largest {}", formatNumber(report.components, 7),
                                                                 formatNumber(report.largestComponent, 7));
    spec.note = note;
    spec.noteHelp = "Components of the implicit graph in the step shown, and particles of the largest.";
    spec.emptyText = integrators::isImplicit(model_.settings.integrator.kind)
                         ? "from the next step on"
                         : "an explicit integrator solves no system";
    drawPlot(spec, curves, size, theme_, layout_);
}

void Ui::stagesPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    constexpr PlotHistory::Series kSeries[] = {PlotHistory::ContactMs, PlotHistory::AssembleMs, PlotHistory::SetUpMs,
                                               PlotHistory::SolveMs, PlotHistory::OtherMs};
    const auto curves = curvesOf(window, history, stageStyles(), kSeries);
    PlotSpec spec = overSteps(model_, window, !tightPlots_, "plot.stages", "Time per step", "ms");
    spec.stacked = true;
    const std::string note = history.empty() ? "" : formatNumber(model_.snapshot->report.stepMs, 3) + " ms";
    spec.note = note;
    spec.noteHelp = "What the step shown took on the wall clock, all stages together.";
    drawPlot(spec, curves, size, theme_, layout_);
}

void Ui::energyPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    constexpr PlotHistory::Series kSeries[] = {PlotHistory::TotalJ, PlotHistory::KineticJ, PlotHistory::ElasticJ,
                                               PlotHistory::GravityJ};
    const auto curves = curvesOf(window, history, energyStyles(), kSeries);
    PlotSpec spec = overSteps(model_, window, !tightPlots_, "plot.energy", "Energy", "J");
    const std::string note = history.empty() ? "" : "total " + formatNumber(model_.snapshot->report.totalJ(), 3);
    spec.note = note;
    spec.noteHelp =
        "Kinetic, elastic and gravity's energy together, J; what damping, drag, friction and an implicit step take "
        "away is lost to it.";
    drawPlot(spec, curves, size, theme_, layout_);
}

/// Of the springs that the overlay "strain" colours; bend springs are in neither.
void Ui::strainPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    const auto percent = [&](PlotHistory::Series s, std::vector<double>& out) {
        out.clear();
        for (const double strain : window.cut(history.values(s))) out.push_back(100 * strain);
        return std::span<const double>(out);
    };
    perMethod_.resize(2);
    const auto steps = window.cut(history.steps());
    const PlotCurve curves[] = {
        {"stretch springs", palette::kError, steps, percent(PlotHistory::MaxStrain, perMethod_[0])},
        {"shear springs",
         {seriesStyle(1).color, Dash::Dashed},
         steps,
         percent(PlotHistory::MaxShearStrain, perMethod_[1])}};
    PlotSpec spec = overSteps(model_, window, true, "plot.strain", "Largest strain", "%");
    spec.fromZero = true;
    const simulation::StepReport& report = model_.snapshot->report;
    const std::string note = history.empty() ? ""
                                             : fmt::format("{} · {} %", formatNumber(100 * report.maxStrain, 3),
                                                           formatNumber(100 * report.maxShearStrain, 3));
    spec.note = note;
    spec.noteHelp =
        "The largest (l - L)/L of the stretch springs, and of the shear springs, in the state shown. The overlay "
        "\"strain\" colours both.";
    drawPlot(spec, curves, size, theme_, layout_);
}

/// How far the two cloths of a branch are apart, and in what their settings differ.
void Ui::ghostPlot(ImVec2 size) {
    const Snapshot& now = *model_.snapshot;
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    const auto millimetres = [&](PlotHistory::Series s, std::vector<double>& out) {
        out.clear();
        for (const double metres : window.cut(history.values(s))) out.push_back(1e3 * metres);
        return std::span<const double>(out);
    };
    const auto steps = window.cut(history.steps());
    const PlotCurve curves[] = {
        {"largest", palette::kWhite, steps, millimetres(PlotHistory::GhostLargest, residuals_)},
        {"rms", {widgets::rgb(0xe6d3b0), Dash::Dashed}, steps, millimetres(PlotHistory::GhostRms, iterationsAxis_)}};
    PlotSpec spec = overSteps(model_, window, !tightPlots_, "plot.ghost", "Distance to the ghost", "mm");
    spec.fromZero = true;
    const std::string note =
        now.ghost.largest >= 0 ? formatNumber(1e3 * now.ghost.largest, 3) + " mm" : "the ghost has stopped";
    spec.note = note;
    spec.noteHelp =
        "How far the two cloths are apart in the state shown: the largest distance of a particle from its twin.";
    spec.emptyText = "play on: the two part from here";
    const std::string words = now.ghost.problem.empty() ? ghostWords(now) : now.ghost.problem;
    ImGui::PushFont(theme_.small);
    const float wordsHeight =
        ImGui::CalcTextSize(words.c_str(), nullptr, false, size.x).y + ImGui::GetStyle().ItemSpacing.y;
    ImGui::PopFont();
    drawPlot(spec, curves, {size.x, size.y - wordsHeight}, theme_, layout_);
    widgets_.note(words);
    layout_.markLast("ghost.words");
    layout_.words("ghost.words", words);
}

}  // namespace clothlab::app::panels
