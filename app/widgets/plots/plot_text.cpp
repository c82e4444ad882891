#include "widgets/plots/plot_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace clothlab::app::widgets {
namespace {

std::string number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : ""; }

bool shown(const PlotSpec& spec, double x) { return x >= spec.xMin && x <= spec.xMax; }

/// Its word, where the axis has words.
std::string place(const PlotSpec& spec, double x) {
    const auto word = xWord(spec, x);
    return word ? csvField(*word) : number(x);
}

}  // namespace

std::optional<std::string> xWord(const PlotSpec& spec, double x) {
    if (!(x >= 0 && x < double(spec.xWords.size()))) return {};
    const auto at = std::size_t(x);
    return spec.xWords[at];
}

std::string emptyWords(const PlotSpec& spec, std::span<const PlotCurve> all, bool hidden) {
    if (hidden) return "all curves are hidden";
    bool beside = false, belowLog = false;
    for (const PlotCurve& curve : all)
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            if (!std::isfinite(curve.y[i])) continue;
            beside = beside || !shown(spec, curve.x[i]);
            belowLog = belowLog || (shown(spec, curve.x[i]) && spec.logY && curve.y[i] <= 0);
        }
    if (belowLog) return "zero: a logarithmic axis has no place for it";
    return beside ? "nothing in this part" : std::string(spec.emptyText);
}

namespace {

/// What was changed from the value before to that at x, for a column of its own.
std::string changedAt(const PlotSpec& spec, double before, double x) {
    std::string words;
    for (const PlotNote& note : spec.notes)
        if (note.from > before && note.from <= x) words += (words.empty() ? "" : "; ") + note.words;
    return csvField(words);
}

/// Curves with points of their own: a line a point.
std::string pointsCsv(const PlotSpec& spec, std::span<const PlotCurve> curves, const std::string& value) {
    const bool labels = std::ranges::any_of(curves, [](const PlotCurve& curve) { return !curve.labels.empty(); });
    const bool lost = std::ranges::any_of(curves, [](const PlotCurve& curve) { return !curve.lost.empty(); });
    std::string text = fmt::format("curve,{},{}{}\n", csvField(spec.xLabel), value, labels || lost ? ",note" : "");
    for (const PlotCurve& curve : curves) {
        for (std::size_t i = 0; i < curve.x.size(); ++i) {
            if (!shown(spec, curve.x[i])) continue;
            text += fmt::format("{},{},{}", csvField(curve.name), place(spec, curve.x[i]), number(curve.y[i]));
            if (labels || lost) text += "," + (labels && !curve.labels.empty() ? csvField(curve.labels[i]) : "");
            text += "\n";
        }
        for (const double x : curve.lost)
            text += fmt::format("{},{},,no value\n", csvField(curve.name), place(spec, x));
    }
    return text;
}

}  // namespace

std::string plotCsv(const PlotSpec& spec, std::span<const PlotCurve> all) {
    std::vector<PlotCurve> curves;
    std::ranges::copy_if(all, std::back_inserter(curves), [&](const PlotCurve& curve) {
        return !(curve.x.empty() && curve.lost.empty()) && !(spec.views && spec.views->hidden(spec.id, curve.name));
    });
    if (curves.empty()) return {};
    const auto column = [&](std::string_view name) {
        return csvField(spec.unit.empty() ? std::string(name) : fmt::format("{}, {}", name, spec.unit));
    };
    const PlotCurve& first = curves.front();
    const bool together = std::ranges::all_of(curves, [&](const PlotCurve& curve) {
        return std::ranges::equal(curve.x, first.x) && curve.labels.empty() && curve.lost.empty();
    });
    if (!together) return pointsCsv(spec, curves, column(spec.title));
    const bool notes = !spec.notes.empty();
    std::string text(csvField(spec.xLabel));
    for (const PlotCurve& curve : curves) text += "," + column(curve.name);
    text += notes ? ",changed\n" : "\n";
    for (std::size_t i = 0; i < first.x.size(); ++i) {
        if (!shown(spec, first.x[i])) continue;
        text += place(spec, first.x[i]);
        for (const PlotCurve& curve : curves) text += "," + number(curve.y[i]);
        if (notes) text += "," + changedAt(spec, i > 0 ? first.x[i - 1] : -INFINITY, first.x[i]);
        text += "\n";
    }
    return text;
}

}  // namespace clothlab::app::widgets
