#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "panels/numbers.hpp"
#include "panels/plot.hpp"
#include "panels/ui.hpp"

// The right column: what the solve and the motion do.
namespace clothlab::app {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

/// The steps that the plots over steps show: the last ones, or those around the state on show.
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

PlotSpec overSteps(const Window& window, std::string_view id, std::string_view title, std::string_view unit) {
    PlotSpec spec;
    spec.id = id;
    spec.title = title;
    spec.unit = unit;
    spec.xLabel = "step";
    spec.xMin = window.from;
    spec.xMax = window.to;
    return spec;
}

/// The step has not one length: by its schedule, or because somebody has changed it lately.
bool stepsVary(const UiModel& model) {
    if (model.snapshot->settings.integrator.dtSchedule != integrators::DtSchedule::Fixed) return true;
    const auto dt = Window::of(model).cut(model.history.values(PlotHistory::Dt));
    return std::ranges::any_of(dt, [&](double length) { return length != dt.front(); });
}

/// "ghost since step 120: time step 10, here 5 ms"
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
        words = fmt::format("{} {}, here {}", own.meta.label, valueText(other.ref), valueText(own.ref));
    }
    return fmt::format("ghost since step {}: {}", now.ghost.startStep, words.empty() ? "the same settings" : words);
}

}  // namespace

void Ui::buildRight(const Region& region) {
    ImGui::SetNextWindowPos({region.x, region.y});
    ImGui::SetNextWindowSize({region.width, region.height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {theme_.px(14), theme_.px(12)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, theme_.px(10)});
    ImGui::Begin("##right", nullptr,
                 (ImGuiWindowFlags_NoDecoration & ~ImGuiWindowFlags_NoScrollbar) | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
    const bool decomposed = model_.settings.solver.decompose;
    const bool ghost = model_.snapshot->ghost.present;
    const bool timed = stepsVary(model_), six = decomposed || timed;
    const float gap = theme_.px(10), note = six || !model_.handsOn ? 0 : theme_.px(16) + gap;
    const float height = ImGui::GetContentRegionAvail().y - static_cast<float>(4 + decomposed + timed + ghost) * gap - note;
    const float least = theme_.px(model_.handsOn ? 100 : 82);  // a picture does not scroll
    // With a sixth plot all of them still fit into a window of 720 points.
    const float tall = six ? 1.1f : 1.25f;
    const float weights = (six ? 5.15f : 5.55f) + 1.1f * static_cast<float>(decomposed + timed + ghost);
    const float unit = std::max(height / weights, least);
    const float width = ImGui::GetContentRegionAvail().x;
    if (ghost) ghostPlot({width, unit * 1.1f});
    residualPlot({width, unit * tall});
    iterationsPlot({width, unit * 0.9f});
    if (timed) timeStepPlot({width, unit * 1.1f});
    if (decomposed) componentsPlot({width, unit * 1.1f});
    stagesPlot({width, unit * std::min(tall, 1.15f)});
    energyPlot({width, unit * tall});
    strainPlot({width, unit * (six ? 0.9f : 0.98f)});
    if (note > 0) widgets_.note("Components: switch on \"by components\" (Solver).");
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::GetBackgroundDrawList()->AddLine({region.x, region.y}, {region.x, region.y + region.height}, palette::kLine);
}

void Ui::residualPlot(ImVec2 size) {
    const Snapshot& now = *model_.snapshot;
    const auto& solver = now.settings.solver;
    iterationsAxis_.clear();
    residuals_.clear();
    for (std::size_t i = 0; i < now.residualHistory.size(); ++i) {
        iterationsAxis_.push_back(static_cast<double>(i));
        residuals_.push_back(now.residualHistory[i]);
    }
    const std::string method = methodName(solver.kind, now.settings.preconditioner.kind);
    PlotSpec spec;
    spec.id = "plot.residual";
    spec.title = "Residual of the solve";
    spec.xLabel = "iteration";
    spec.logY = true;
    const auto iterations = static_cast<double>(iterationsAxis_.size());
    spec.xMax = std::max(5.0, std::ceil((iterations - 1) * 1.02));
    const std::string note = now.report.trueRelativeResidual >= 0 && !residuals_.empty()
                                 ? "true " + formatNumber(now.report.trueRelativeResidual, 2)
                                 : "relative";
    spec.note = note;
    const bool direct = !solvers::usesPreconditioner(solver.kind);
    const std::string name = "tolerance " + formatNumber(solver.tolerance, 2);
    if (!direct) {
        spec.threshold = solver.tolerance;
        spec.thresholdName = name;
    }
    spec.emptyText = direct && now.step > 0 ? "a direct solver does not iterate" : "no iterations";
    const PlotCurve curve{method, methodColor(solver.kind, now.settings.preconditioner.kind), iterationsAxis_,
                          residuals_};
    drawPlot(spec, {&curve, 1}, size, theme_, layout_);
}

void Ui::iterationsPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    const auto steps = window.cut(history.steps());
    const auto values = window.cut(history.values(PlotHistory::Iterations));
    const auto methods = window.cut(history.methods());

    // One curve a method, in that method's colour; gaps where another one was at work.
    std::vector<PlotHistory::Method> present;
    for (const PlotHistory::Method& m : methods)
        if (std::find(present.begin(), present.end(), m) == present.end()) present.push_back(m);
    std::reverse(present.begin(), present.end());  // the newest first
    if (present.size() > 6) present.resize(6);
    perMethod_.resize(present.size());
    std::vector<std::string> names;
    for (const auto& m : present)
        names.push_back(integrators::isImplicit(m.integrator)
                            ? methodName(m.solver, m.preconditioner)
                            : std::string(enumLabel(m.integrator)));
    std::vector<PlotCurve> curves;
    for (std::size_t c = 0; c < present.size(); ++c) {
        perMethod_[c].assign(values.begin(), values.end());
        for (std::size_t i = 0; i < methods.size(); ++i)
            if (!(methods[i] == present[c])) perMethod_[c][i] = kGap;
        curves.push_back({names[c], methodColor(present[c].solver, present[c].preconditioner), steps, perMethod_[c]});
    }
    PlotSpec spec = overSteps(window, "plot.iterations", "Iterations per step", "");
    spec.fromZero = true;
    spec.cursor = cursorOf(model_);
    const std::string note = values.empty() ? "" : formatNumber(model_.snapshot->report.iterations, 6);
    spec.note = note;
    spec.legend = false;
    drawPlot(spec, curves, size, theme_, layout_);
}

/// How long the steps are, the parts that an explicit method takes them in, and how long they may be for what is explicit.
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
    const PlotCurve all[] = {{"time step", rgb(0xffffff), steps, milliseconds(PlotHistory::Dt, perMethod_[0])},
                             {"explicit limit", rgb(0xe69f00), steps, milliseconds(PlotHistory::ExplicitLimit, perMethod_[1]), true},
                             {"substep", rgb(0x56b4e9), steps, milliseconds(PlotHistory::Substep, perMethod_[2])}};
    std::vector<PlotCurve> curves;
    for (const PlotCurve& curve : all)
        if (std::ranges::any_of(curve.y, [](double y) { return std::isfinite(y); })) curves.push_back(curve);
    PlotSpec spec = overSteps(window, "plot.dt", "Time step", "ms");
    spec.logY = true;
    spec.fineTicks = true;
    spec.headroom = 1.1;
    spec.cursor = cursorOf(model_);
    const simulation::StepReport& report = model_.snapshot->report;
    const std::string note = formatNumber(1e3 * report.dt, 3) + " ms" + (report.rejected > 0 ? fmt::format(", after {} longer", report.rejected) : "");
    spec.note = note;
    drawPlot(spec, curves, size, theme_, layout_);
}

/// Both on one axis: how many there are, and how many particles the largest has.
void Ui::componentsPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    const auto steps = window.cut(history.steps());
    const PlotCurve curves[] = {
        {"components", rgb(0x56b4e9), steps, window.cut(history.values(PlotHistory::Components))},
        {"particles of the largest", rgb(0xe69f00), steps, window.cut(history.values(PlotHistory::LargestComponent))},
    };
    PlotSpec spec = overSteps(window, "plot.components", "Components", "");
    spec.logY = true;
    spec.least = 1;
    spec.cursor = cursorOf(model_);
    const simulation::StepReport& report = model_.snapshot->report;
    const std::string note = report.components < 0 ? ""
                                                   : fmt::format("{} · largest {}", formatNumber(report.components, 7),
                                                                 formatNumber(report.largestComponent, 7));
    spec.note = note;
    spec.emptyText = integrators::isImplicit(model_.settings.integrator.kind) ? "from the next step on" : "an explicit integrator solves no system";
    drawPlot(spec, curves, size, theme_, layout_);
}

void Ui::stagesPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    const auto steps = window.cut(history.steps());
    const auto layer = [&](PlotHistory::Series s) { return window.cut(history.values(s)); };
    const PlotCurve curves[] = {
        {"contact", rgb(0x8f7fc0), steps, layer(PlotHistory::ContactMs)},
        {"assemble", rgb(0xb8a24a), steps, layer(PlotHistory::AssembleMs)},
        {"set-up", rgb(0x1f9e80), steps, layer(PlotHistory::SetUpMs)},
        {"solve", rgb(0x6b7fae), steps, layer(PlotHistory::SolveMs)},
        {"other", rgb(0x5a6270), steps, layer(PlotHistory::OtherMs)},
    };
    PlotSpec spec = overSteps(window, "plot.stages", "Milliseconds per step", "ms");
    spec.stacked = true;
    spec.cursor = cursorOf(model_);
    const std::string note = history.empty() ? "" : formatNumber(model_.snapshot->report.stepMs, 3) + " ms";
    spec.note = note;
    drawPlot(spec, curves, size, theme_, layout_);
}

void Ui::energyPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    const auto steps = window.cut(history.steps());
    const auto line = [&](PlotHistory::Series s) { return window.cut(history.values(s)); };
    const PlotCurve curves[] = {
        {"total", rgb(0xffffff), steps, line(PlotHistory::TotalJ)},
        {"kinetic", rgb(0x56b4e9), steps, line(PlotHistory::KineticJ)},
        {"elastic", rgb(0xe69f00), steps, line(PlotHistory::ElasticJ)},
        {"gravity", rgb(0x7bd389), steps, line(PlotHistory::GravityJ)},
    };
    PlotSpec spec = overSteps(window, "plot.energy", "Energy", "J");
    spec.cursor = cursorOf(model_);
    spec.note = "joule";
    drawPlot(spec, curves, size, theme_, layout_);
}

void Ui::strainPlot(ImVec2 size) {
    const PlotHistory& history = model_.history;
    const Window window = Window::of(model_);
    const auto values = window.cut(history.values(PlotHistory::MaxStrain));
    residuals_.clear();
    for (const double v : values) residuals_.push_back(100 * v);
    PlotSpec spec = overSteps(window, "plot.strain", "Largest strain", "%");
    spec.fromZero = true;
    spec.cursor = cursorOf(model_);
    const std::string note = history.empty() ? "%" : formatNumber(100 * model_.snapshot->report.maxStrain, 3) + " %";
    spec.note = note;
    const PlotCurve curve{"largest strain", rgb(0xff6b6b), window.cut(history.steps()), residuals_};
    drawPlot(spec, {&curve, 1}, size, theme_, layout_);
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
    const PlotCurve curves[] = {{"largest", rgb(0xffffff), steps, millimetres(PlotHistory::GhostLargest, residuals_)},
                                {"rms", rgb(0xe6d3b0), steps, millimetres(PlotHistory::GhostRms, iterationsAxis_)}};
    PlotSpec spec = overSteps(window, "plot.ghost", "Distance to the ghost", "mm");
    spec.fromZero = true;
    spec.cursor = cursorOf(model_);
    const std::string note = now.ghost.largest >= 0 ? formatNumber(1e3 * now.ghost.largest, 3) + " mm" : "the ghost has stopped";
    spec.note = note;
    spec.emptyText = "play on: the two part from here";
    drawPlot(spec, curves, {size.x, size.y - ImGui::GetTextLineHeightWithSpacing()}, theme_, layout_);
    ImGui::PushFont(theme_.small);
    const std::string words = now.ghost.problem.empty() ? ghostWords(now) : now.ghost.problem;
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(palette::kQuiet), "%s", words.c_str());
    layout_.markLast("ghost.words");
    ImGui::PopFont();
}

}  // namespace clothlab::app
