#include "widgets/plots/plot_frame.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::app::widgets {

bool PlotFrame::isHidden(std::size_t curve) const {
    return spec.views && spec.views->hidden(spec.id, curves[curve].name);
}

bool PlotFrame::drawable(const PlotCurve& curve, std::size_t i) const {
    return std::isfinite(curve.y[i]) && !(spec.logY && curve.y[i] <= 0 && !spec.sinks);
}

double PlotFrame::stackTop(std::size_t layers, std::size_t sample) const {
    double sum = 0;
    for (std::size_t l = 0; l < layers; ++l) {
        const double value = curves[l].y[sample];
        if (std::isfinite(value)) sum += std::max(0.0, value);
    }
    return sum;
}

ImVec2 PlotFrame::crossAt(double at) const {
    return {std::isfinite(at) ? std::clamp(px(at), min.x, max.x) : min.x, min.y + theme.px(kMark)};
}

ImU32 PlotFrame::shade(std::size_t curve) const {
    constexpr unsigned kFaint = 60, kOther = 110;
    const bool other = readout.nearest >= 0 && readout.nearest != int(curve);
    const ImU32 color = theme.ink(curves[curve].style.color);
    if (!other && !curves[curve].faint) return color;
    return withAlpha(color, curves[curve].faint ? kFaint : kOther);
}

}  // namespace clothlab::app::widgets
