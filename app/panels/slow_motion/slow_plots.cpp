#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "model/method_styles.hpp"
#include "panels/slow_motion/slow_panel.hpp"
#include "widgets/plots/curve_table.hpp"

// What goes with the iterates of slow motion: how far the residual has come, and which waves of the error are left.
namespace clothlab::app::panels {

using experiments::ErrorWaves;
using model::inGrey;
using model::methodStyles;

/// As everywhere; of one method on both sides the right one has a mark.
std::vector<widgets::Style> SlowPanel::stylesWanted() const {
    const auto& [left, right] = model_.slow.methods;
    const solvers::Method methods[] = {left.method, right.method};
    return methodStyles(methods);
}

std::vector<widgets::Style> SlowPanel::stylesShown() const {
    std::vector<solvers::Method> methods;
    for (const auto& method : model_.slow.shown()->motion.methods) methods.push_back(method.who.method);
    std::vector<widgets::Style> styles = methodStyles(methods);
    if (note_.stale()) std::ranges::transform(styles, styles.begin(), inGrey);
    return styles;
}

void SlowPanel::plots(ImVec2 size) {
    const worker::SlowMotionResult* shown = model_.slow.shown();
    if (!shown || shown->motion.methods.empty()) return;
    widgets::plotPair(size, theme_, [&](bool second, ImVec2 half) { second ? wavesPlot(half) : residualPlot(half); });
}

void SlowPanel::residualPlot(ImVec2 size) {
    const experiments::SlowMotion& motion = model_.slow.shown()->motion;
    std::vector<double> iterations[2];
    std::vector<std::string> names(2);
    std::vector<widgets::PlotCurve> curves;
    double last = 5, at = 0;
    const std::vector<widgets::Style> styles = stylesShown();
    for (std::size_t which = 0; which < std::min<std::size_t>(2, motion.methods.size()); ++which) {
        const auto& method = motion.methods[which];
        if (method.frames() == 0) continue;
        iterations[which].assign(method.iteration.begin(), method.iteration.end());
        names[which] = method.who.fullLabel();
        const std::size_t frame = model_.slow.sideFrame(which);
        curves.push_back({.name = names[which],
                          .style = styles[which],
                          .x = iterations[which],
                          .y = method.residuals,
                          .meant = int(frame)});
        last = std::max(last, iterations[which].back());
        at = std::max(at, iterations[which][frame]);
    }
    widgets::PlotSpec spec;
    spec.id = "slow.residual";
    spec.title = "Residual";
    spec.measure = "relative";
    spec.xLabel = "iteration";
    spec.logY = true;
    spec.readNearest = true;
    spec.xMax = last;
    spec.cursor = at;
    spec.source = captionSource(model_.slow.shown()->origin, {}, 0, false);
    spec.noteHelp = "The true relative residual of each iterate; the dots are the two that are drawn.";
    drawPlot(spec, curves, size);
}

/// Anew when other iterates are drawn: of a large cloth it takes some milliseconds.
void SlowPanel::updateWaves() {
    constexpr double kMillimetres = 1e3;
    const worker::SlowMotionResult* shown = model_.slow.shown();
    const experiments::SlowMotion& motion = shown->motion;
    Waves wanted{shown, shown->request, {}};
    for (std::size_t which = 0; which < std::min<std::size_t>(2, motion.methods.size()); ++which)
        if (motion.methods[which].frames() > 0) wanted.frame[which] = model_.slow.sideFrame(which);
    if (wanted == taken_) return;
    taken_ = wanted;
    const auto scaled = [&](std::size_t which, std::size_t frame) {
        std::vector<double> all = motion.amplitudes(which, frame);
        for (double& value : all) value *= kMillimetres;
        return all;
    };
    for (std::size_t which = 0; which < 2; ++which) {
        const bool there = which < motion.methods.size() && motion.methods[which].frames() > 0;
        const std::size_t last = there ? motion.methods[which].frames() - 1 : 0;
        first_[which] = there ? scaled(which, 0) : std::vector<double>();
        now_[which] = there ? scaled(which, wanted.frame[which]) : std::vector<double>();
        last_[which] = there ? scaled(which, last) : std::vector<double>();
    }
}

void SlowPanel::wavesPlot(ImVec2 size) {
    updateWaves();
    const experiments::SlowMotion& motion = model_.slow.shown()->motion;
    const auto bands = motion.waves->bands();
    std::vector<double> places;
    std::vector<std::string> words, names(2);
    for (const ErrorWaves::Band& band : bands) {
        places.push_back(double(places.size()));
        words.push_back(band.label);
    }
    std::vector<widgets::PlotCurve> curves;
    double most = 0, least = std::numeric_limits<double>::infinity();
    const std::vector<widgets::Style> styles = stylesShown();
    for (std::size_t which = 0; which < 2; ++which) {
        if (now_[which].empty()) continue;
        names[which] = motion.methods[which].who.fullLabel();
        curves.push_back({.name = names[which], .style = styles[which], .x = places, .y = now_[which]});
        most = std::max(most, *std::ranges::max_element(first_[which]));
        for (const double end : last_[which])
            if (end > 0) least = std::min(least, end);
    }
    const std::size_t methods = curves.size();
    for (std::size_t which = 0; which < 2 && methods > 0; ++which) {
        if (first_[which].empty()) continue;
        curves.push_back(
            {.name = "at the start", .style = widgets::hue::kInk, .x = places, .y = first_[which], .plain = true});
        break;  // both start from zero
    }
    constexpr double kDecades = 1e-12;  // an axis from the first iterate to the last, that bars do not jump
    const bool grid = motion.waves->kind() == ErrorWaves::Kind::Wavelengths;
    widgets::PlotSpec spec;
    spec.id = "slow.waves";
    spec.title = grid ? "Error by wavelength" : "Error by Ritz value";
    spec.unit = "mm/s";
    spec.xLabel = grid ? "wavelength" : "Ritz value, kg";
    spec.bars = true;
    spec.xWords = words;
    spec.logY = true;
    spec.least = std::max(most * kDecades, 1e-12);
    spec.yAtLeast = widgets::PlotRange{std::clamp(least, spec.least, std::max(most, spec.least)), most};
    spec.xMin = -0.5;
    spec.xMax = double(bands.size()) - 0.5;
    spec.noteHelp =
        grid
            ? "Root mean square of the error in the waves of an octave, from the longest, which the whole sheet has "
              "room for, to the shortest, which neighbours draw; by a cosine transform. The stroke: at the start."
            : "Root mean square of the error in the Ritz vectors whose Ritz value (of the matrix, kg) is from this one "
              "to the next: small values are long, soft waves, large ones short, stiff waves; the rest is in none of "
              "the vectors found. The stroke: at the start.";
    spec.source = captionSource(model_.slow.shown()->origin, {}, 0, false);
    drawPlot(spec, curves, size);
}

}  // namespace clothlab::app::panels
