#include "widgets/plots/plot_scales.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace clothlab::app::widgets {
namespace {

/// As many as there is room for, from the first on.
void placeWords(PlotFrame& frame) {
    const PlotSpec& spec = frame.spec;
    const UiTheme& theme = frame.theme;
    float free = -theme.px(12);
    for (std::size_t i = 0; i < spec.xWords.size(); ++i) {
        const float half = ImGui::CalcTextSize(spec.xWords[i].c_str()).x / 2, at = frame.px(double(i)) - frame.min.x;
        if (!frame.visible(double(i)) || at - half < free || at + half > frame.max.x - frame.min.x + theme.px(2))
            continue;
        frame.xLabels.push_back({double(i), spec.xWords[i], at - half, at + half});
        free = at + half + theme.px(5);
    }
}

void drawXAxis(const PlotFrame& frame, const PlotPart& part) {
    const PlotSpec& spec = frame.spec;
    const UiTheme& theme = frame.theme;
    const std::string name(spec.xWords.empty() ? spec.xLabel : std::string_view());  // words say what they are
    const float nameWidth = ImGui::CalcTextSize(name.c_str()).x, y = frame.max.y + theme.px(3);
    const bool zoomed = part.x() && !frame.pen.writes();  // a figure has no handles
    for (const TickLabel& label : frame.xLabels) {
        const float at = frame.px(label.value);
        frame.pen.line({at, spec.fineTicks ? frame.min.y : frame.max.y}, {at, frame.max.y + theme.px(3)},
                       theme.colors.line);
        frame.pen.words({frame.min.x + label.from, y}, theme.colors.quiet, label.text);
    }
    if (spec.nameBelow)
        frame.pen.words({(frame.min.x + frame.max.x - nameWidth) / 2, y + frame.lineHeight + theme.px(3)},
                        zoomed ? theme.colors.knob : theme.colors.text, name);
    else
        frame.pen.words({frame.max.x - nameWidth, y}, zoomed ? theme.colors.knob : theme.colors.quiet, name);
}

}  // namespace

void chooseScales(PlotFrame& frame, PlotPart& part) {
    const PlotSpec& spec = frame.spec;
    const UiTheme& theme = frame.theme;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    auto take = [&](double y) {
        if (!std::isfinite(y) || (spec.logY && y <= 0 && !spec.sinks)) return;
        frame.any = true;
        if (spec.logY) y = std::max(y, spec.least);
        low = std::min(low, y);
        high = std::max(high, y);
    };
    if (spec.stacked) {
        if (!frame.curves.empty())
            for (std::size_t i = 0; i < frame.curves[0].x.size(); ++i)
                if (frame.visible(frame.curves[0].x[i])) take(frame.stackTop(frame.curves.size(), i));
        low = 0;
    } else {
        for (const PlotCurve& curve : frame.curves)
            for (std::size_t i = 0; i < curve.x.size(); ++i)
                if (frame.visible(curve.x[i])) take(curve.y[i]);
    }
    if (spec.threshold && frame.any) take(*spec.threshold);
    if (spec.yAtLeast && frame.any) take(spec.yAtLeast->min), take(spec.yAtLeast->max);
    const float height = frame.max.y - frame.min.y, width = frame.max.x - frame.min.x;
    const int yTicks = std::clamp(int(height / (frame.lineHeight * 1.7f)), 1, spec.fineTicks ? 9 : 5);
    const int xTicks = std::max(2, int(width / theme.px(60)));
    if (!frame.any) low = spec.logY ? 1e-3 : 0, high = 1;
    if (spec.logY) low /= spec.headroom, high *= spec.headroom;
    const auto logarithmic = spec.fineTicks ? fineLogAxis : logAxis;
    frame.y = spec.logY ? logarithmic(low, high, yTicks) : linearAxis(low, high, yTicks, spec.fromZero || spec.stacked);
    part.setUsualY({frame.y.min, frame.y.max});
    if (part.y()) frame.y = chosenAxis(*part.y(), yTicks, spec.logY);
    frame.x = spec.logX ? part.x() ? chosenAxis(*part.x(), xTicks, true) : logarithmic(spec.xMin, spec.xMax, xTicks)
                        : fixedAxis(spec.xMin, spec.xMax, xTicks, spec.integerX);
    // The lowest words stand clear of those of the x axis.
    const float below = spec.nameBelow || !spec.xTicks ? 0.5f : 0.2f;
    frame.yLabels =
        placeLabels(frame.y, {height, -below * frame.lineHeight, height + 0.5f * frame.lineHeight, theme.px(1)},
                    [&](const std::string&) { return frame.lineHeight; });
    const float nameWidth = spec.nameBelow ? 0 : ImGui::CalcTextSize(std::string(spec.xLabel).c_str()).x + theme.px(8);
    const float right = spec.nameBelow ? frame.outerMax.x - frame.min.x : width;
    if (!spec.xWords.empty()) return placeWords(frame);
    frame.xLabels = placeLabels(frame.x, {width, -theme.px(2), right, theme.px(6)},
                                [](const std::string& words) { return ImGui::CalcTextSize(words.c_str()).x; });
    std::erase_if(frame.xLabels,
                  [&](const TickLabel& label) { return label.to > right - nameWidth; });  // the axis' name stands there
}

void drawScales(const PlotFrame& frame, const PlotPart& part) {
    const UiTheme& theme = frame.theme;
    frame.pen.box(frame.min, frame.max, theme.colors.plotGround, theme.px(2));
    for (const TickLabel& label : frame.yLabels) {
        const float y = frame.py(label.value);
        frame.pen.line({frame.min.x, y}, {frame.max.x, y}, theme.colors.line);
        frame.pen.words({frame.min.x - ImGui::CalcTextSize(label.text.c_str()).x - theme.px(6), frame.max.y - label.to},
                        theme.colors.quiet, label.text);
    }
    if (frame.spec.xTicks) drawXAxis(frame, part);
}

}  // namespace clothlab::app::widgets
