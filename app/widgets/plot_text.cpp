#include "widgets/plot_text.hpp"

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
    const auto at = std::size_t(x < 0 ? spec.xWords.size() : x);
    return at < spec.xWords.size() ? csvField(spec.xWords[at]) : number(x);
}

}  // namespace

std::string plotCsv(const PlotSpec& spec, std::span<const PlotCurve> all) {
    std::vector<PlotCurve> curves;
    std::ranges::copy_if(all, std::back_inserter(curves), [&](const PlotCurve& curve) {
        return !curve.x.empty() && !(spec.views && spec.views->hidden(spec.id, curve.name));
    });
    if (curves.empty()) return {};
    const auto column = [&](std::string_view name) {
        return csvField(spec.unit.empty() ? std::string(name) : fmt::format("{}, {}", name, spec.unit));
    };
    const PlotCurve& first = curves.front();
    const bool together =
        std::ranges::all_of(curves, [&](const PlotCurve& curve) { return std::ranges::equal(curve.x, first.x); });
    std::string text;
    if (!together) {
        text = fmt::format("curve,{},{}\n", csvField(spec.xLabel), column(spec.title));
        for (const PlotCurve& curve : curves)
            for (std::size_t i = 0; i < curve.x.size(); ++i)
                if (shown(spec, curve.x[i]))
                    text +=
                        fmt::format("{},{},{}\n", csvField(curve.name), place(spec, curve.x[i]), number(curve.y[i]));
        return text;
    }
    text = csvField(spec.xLabel);
    for (const PlotCurve& curve : curves) text += "," + column(curve.name);
    text += "\n";
    for (std::size_t i = 0; i < first.x.size(); ++i) {
        if (!shown(spec, first.x[i])) continue;
        text += place(spec, first.x[i]);
        for (const PlotCurve& curve : curves) text += "," + number(curve.y[i]);
        text += "\n";
    }
    return text;
}

}  // namespace clothlab::app::widgets
