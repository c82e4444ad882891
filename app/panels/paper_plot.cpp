#include "panels/paper_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/text.hpp"

namespace clothlab::app::panels {

using papers::FigureCurve;
using widgets::Dash;
using widgets::Mark;
using widgets::Style;

namespace {

Style figureStyle(const FigureCurve& curve) {
    constexpr std::array kFilled{Mark::Circle, Mark::Square, Mark::Up, Mark::Diamond, Mark::Down};
    Style style = widgets::seriesStyle(curve.group);
    style.dash = static_cast<Dash>(curve.group % widgets::kDashKinds);
    switch (curve.from) {
        case FigureCurve::From::Ours:
            style.mark = kFilled[curve.group % kFilled.size()];
            break;
        case FigureCurve::From::Printed:
            style.mark = Mark::Ring;
            break;
        case FigureCurve::From::ReadOff:
            style.mark = Mark::Plus;
            break;
        case FigureCurve::From::Formula:
            style.dash = Dash::Dotted;
            break;
    }
    return style;
}

}  // namespace

PaperPlot::PaperPlot(papers::PaperFigure figure, std::string id) : figure_(std::move(figure)), id_(std::move(id)) {
    spec_.id = id_;
    spec_.title = figure_.title;
    spec_.measure = figure_.yLabel;
    spec_.xLabel = figure_.xLabel;
    spec_.logX = figure_.logX;
    spec_.logY = figure_.logY;
    spec_.xWords = figure_.xWords;
    spec_.marks = spec_.fineTicks = spec_.ownStyles = spec_.times = true;
    spec_.nameBelow = figure_.xWords.empty();
    spec_.integerX = !figure_.xWords.empty();
    spec_.lines = figure_.xWords.empty();  // between words there is nothing
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const FigureCurve& curve : figure_.curves) {
        curves_.push_back({.name = curve.name,
                           .style = figureStyle(curve),
                           .x = curve.x,
                           .y = curve.y,
                           .plain = curve.from == FigureCurve::From::Formula});
        for (const double x : curve.x) low = std::min(low, x), high = std::max(high, x);
    }
    if (!figure_.xWords.empty()) {
        spec_.xMin = -0.5, spec_.xMax = double(figure_.xWords.size()) - 0.5;
        return;
    }
    constexpr int kTicks = 8;
    const bool one = !(high > low);
    const widgets::Axis axis = figure_.logX
                                   ? widgets::fineLogAxis(low, one ? 2 * low : high, kTicks)
                                   : widgets::linearAxis(std::min(low, 0.0), one ? low + 1 : high, kTicks, false);
    spec_.xMin = axis.min, spec_.xMax = axis.max;
}

std::vector<std::string> paperCaption(const papers::Reproduction& table, const std::string& more) {
    return {table.title + ".", fmt::format("Ours: {}, {} thread{}, Clothlab {}{}.", table.machine, table.threads,
                                           plural(table.threads), table.build, more)};
}

}  // namespace clothlab::app::panels
