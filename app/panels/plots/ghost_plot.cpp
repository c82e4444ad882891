#include <fmt/format.h>

#include <cmath>

#include "model/ghost_words.hpp"
#include "panels/plots/motion_plots.hpp"
#include "panels/plots/plot_window.hpp"
#include "widgets/numbers.hpp"
#include "widgets/plots/plot.hpp"
#include "widgets/scopes.hpp"

// How far the ghosts of a branch are from the cloth.
namespace clothlab::app::panels {

using model::GhostDifference;
using model::ghostDifferences;
using model::ghostName;
using model::MotionPlot;
using model::PlotHistory;

namespace hue = widgets::hue;
using widgets::Dash;
using widgets::formatNumber;
using widgets::PlotCurve;
using widgets::PlotSpec;
using worker::Snapshot;

namespace {

/// As they are drawn over the cloth (render/scene_colors.hpp).
constexpr ImU32 kGhostHues[worker::kMostGhosts] = {hue::kGhost, hue::kBendBlock, hue::kStretchBlock, hue::kFillBlock};

/// "ghost since step 120: time step 10 ms; this cloth: time step 5 ms"
std::string ghostLine(const Snapshot& now, bool blind) {
    if (blind) return fmt::format("ghost since step {}", now.ghost.startStep);
    const std::vector<GhostDifference> differ = ghostDifferences(now);
    const std::string words = differ.empty()
                                  ? "the same settings"
                                  : fmt::format("{}; this cloth: {}", valuesThere(differ), valuesHere(differ));
    return fmt::format("ghost since step {}: {}", now.ghost.startStep, words);
}

}  // namespace

/// Those of a ghost before it are no distances of it.
void MotionPlots::millimetresSince(std::int64_t start, std::span<const double> metres, const PlotWindow& window,
                                   std::vector<double>& out) const {
    const auto steps = window.cut(model_.history.steps());
    out.clear();
    for (std::size_t i = 0; i < metres.size(); ++i)
        out.push_back(steps[i] > double(start) ? 1e3 * metres[i] : std::nan(""));
}

/// The curves of several ghosts, each in its colour.
void MotionPlots::furtherCurves(const PlotWindow& window, std::vector<std::string>& names,
                                std::vector<PlotCurve>& curves) {
    const Snapshot& now = *model_.snapshot;
    perMethod_.resize(now.ghosts());
    for (std::size_t k = 0; k < now.ghosts(); ++k) {
        names.push_back(model_.looks.blind ? fmt::format("ghost {}", k + 1) : ghostName(now, k));
        const auto metres =
            window.cut(k == 0 ? model_.history.values("ghost_distance_m") : model_.history.furtherGhost(k - 1));
        millimetresSince(now.ghostAt(k).startStep, metres, window, perMethod_[k]);
    }
    curves.clear();
    for (std::size_t k = 0; k < names.size(); ++k)
        curves.push_back({names[k], kGhostHues[k], window.cut(model_.history.steps()), perMethod_[k]});
}

/// The line under the plot: in what the cloths differ, and why a ghost has stopped.
std::string MotionPlots::ghostsBelow() const {
    const Snapshot& now = *model_.snapshot;
    std::string words = now.ghosts() > 1 ? "" : ghostLine(now, model_.looks.blind);  // several have names
    for (std::size_t k = 0; k < now.ghosts(); ++k)
        if (const std::string& problem = now.ghostAt(k).problem; !problem.empty())
            words = words.empty() || k == 0 ? problem : words + "\n" + problem;
    return words;
}

float MotionPlots::heightBelow(MotionPlot plot, float width) const {
    if (plot != MotionPlot::Ghost) return 0;
    const std::string words = ghostsBelow();
    if (words.empty()) return 0;
    const widgets::FontScope font(theme_.small);
    return ImGui::CalcTextSize(words.c_str(), nullptr, false, width).y + ImGui::GetStyle().ItemSpacing.y;
}

/// How far the two cloths of a branch are apart, and in what their settings differ.
void MotionPlots::ghostPlot(ImVec2 size) {
    const Snapshot& now = *model_.snapshot;
    const PlotHistory& history = model_.history;
    const PlotWindow window = PlotWindow::of(model_);
    const auto millimetres = [&](PlotHistory::Column s, std::vector<double>& out) {
        millimetresSince(now.ghost.startStep, window.cut(history.values(s)), window, out);
        return std::span<const double>(out);
    };
    const auto steps = window.cut(history.steps());
    std::vector<PlotCurve> curves{
        {"largest", hue::kWhite, steps, millimetres("ghost_distance_m", residuals_)},
        {"rms", {hue::kGhost, Dash::Dashed}, steps, millimetres("ghost_rms_m", iterationsAxis_)}};
    std::vector<std::string> names;
    if (now.ghosts() > 1) furtherCurves(window, names, curves);
    PlotSpec spec = overSteps(model_, window, xTicks_, "plot.ghost",
                              now.ghosts() > 1 ? "Distance to the ghosts" : "Distance to the ghost", "mm");
    spec.fromZero = true;
    const std::string note = now.ghosts() > 1         ? fmt::format("{} ghosts", now.ghosts())
                             : now.ghost.largest >= 0 ? formatNumber(1e3 * now.ghost.largest, 3) + " mm"
                                                      : "the ghost has stopped";
    spec.note = note;
    spec.noteHelp =
        "How far the two cloths are apart in the state shown: the largest distance of a particle from its twin.";
    spec.emptyText = "play on: the two part from here";
    const std::string words = ghostsBelow();
    drawPlot(spec, curves, {size.x, size.y - heightBelow(MotionPlot::Ghost, size.x)});
    if (words.empty()) return;
    widgets_.note(words);
    layout_.markLast("ghost.words");
    layout_.words("ghost.words", words);
}

}  // namespace clothlab::app::panels
