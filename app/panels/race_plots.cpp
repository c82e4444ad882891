#include <algorithm>
#include <cmath>

#include "experiments/quadratic_form.hpp"
#include "panels/method_styles.hpp"
#include "panels/race_panel.hpp"

// The residuals of a race, against iterations and against time.
namespace clothlab::app::panels {

using experiments::Contestant;
using experiments::RaceRow;

/// Of the variants of a method each has a mark of its own, in the order of the field; the active settings count as one.
widgets::Style RacePanel::styleOf(std::size_t contestant) const {
    const auto& field = result().field;
    const Contestant& who = field[contestant];
    const auto alike =
        std::count_if(field.begin(), field.begin() + std::ptrdiff_t(contestant), [&](const Contestant& other) {
            return other.method.solver.kind == who.method.solver.kind &&
                   (!solvers::usesPreconditioner(who.method.solver.kind) ||
                    other.method.preconditioner.kind == who.method.preconditioner.kind);
        });
    widgets::Style style = methodStyle(who.method.solver.kind, who.method.preconditioner.kind);
    style.mark = widgets::variantMark(std::size_t(alike));
    return style;
}

/// What a plot is drawn from, as long as it is drawn.
struct RacePanel::Curves {
    std::vector<std::vector<double>> x, y;
    std::vector<std::string> names;
    std::vector<std::size_t> contestants;
    std::vector<double> boundAt, bound;
    std::string boundName;
    std::vector<widgets::PlotCurve> drawn;
    double end = 0;  ///< of those that arrived
};

RacePanel::Curves RacePanel::curvesOf(bool overTime, bool withBound) const {
    Curves all;
    for (const RaceRow* row : rows_) {
        // A solve that was cut has an iterate more or less than times.
        const std::size_t iterates =
            overTime ? std::min(row->residuals.size(), row->milliseconds.size()) : row->residuals.size();
        if (iterates < 2) continue;
        std::vector<double> at;
        for (std::size_t k = 0; k < iterates; ++k) at.push_back(overTime ? double(row->milliseconds[k]) : double(k));
        if (row->converged()) all.end = std::max(all.end, at.back());
        all.x.push_back(std::move(at));
        all.y.emplace_back(row->residuals.begin(), row->residuals.begin() + std::ptrdiff_t(iterates));
        all.names.push_back(result().field[row->contestant].label());
        all.contestants.push_back(row->contestant);
    }
    for (std::size_t c = 0; c < all.x.size(); ++c) {
        all.drawn.push_back({.name = all.names[c],
                             .style = styleOf(all.contestants[c]),
                             .x = all.x[c],
                             .y = all.y[c],
                             .faint = pointed_ >= 0 && pointed_ != int(all.contestants[c])});
    }
    if (!overTime && withBound) addBound(all);
    return all;
}

/// What Chen (37) promises the row under the pointer, or else the active one, from its Ritz values.
void RacePanel::addBound(Curves& all) const {
    const auto meant = std::ranges::find_if(rows_, [&](const RaceRow* row) {
        return pointed_ >= 0 ? int(row->contestant) == pointed_ : isActive(result().field[row->contestant]);
    });
    if (meant == rows_.end() || !((*meant)->condition() > 0) || isHidden(**meant)) return;
    for (int k = 0; k <= result().options.maxIterations; ++k) {
        const double bound =
            experiments::errorBound(experiments::PlaneMethod::ConjugateGradients, (*meant)->condition(), k);
        all.boundAt.push_back(double(k));
        all.bound.push_back(bound);
        if (bound < tolerance() / 30) break;
    }
    widgets::Style style = styleOf((*meant)->contestant);
    style.dash = widgets::Dash::Dotted;
    style.mark = widgets::Mark::None;
    all.boundName = "(37) of " + result().field[(*meant)->contestant].label();
    all.drawn.push_back({.name = all.boundName, .style = style, .x = all.boundAt, .y = all.bound, .plain = true});
}

widgets::PlotSpec RacePanel::specOf(bool overTime, const Curves& curves) const {
    widgets::PlotSpec spec;
    spec.id = overTime ? kTimePlot : kIterationsPlot;
    spec.title = overTime ? "Residual against time" : "Residual against iterations";
    spec.unit = "relative";
    spec.xLabel = overTime ? "ms" : "iteration";
    spec.integerX = !overTime;
    if (!overTime)
        spec.noteHelp =
            "Dotted: Chen (37), 2((√κ − 1)/(√κ + 1))ᵏ with κ from the Ritz values of the method pointed at, or of the "
            "active one. It bounds the energy norm of the error; the residual falls beside it, not always below.";
    spec.logY = true;
    spec.legend = false;
    spec.nameCurves = true;
    spec.readNearest = true;
    spec.xMax = std::max(overTime ? 1.0 : 5.0, curves.end * 1.04);
    spec.least = tolerance() / 30;
    spec.threshold = tolerance();  // its number is the chosen button and a tick of the axis
    return spec;
}

void RacePanel::plots(ImVec2 size) {
    widgets::plotPair(size, theme_, [&](bool overTime, ImVec2 half) {
        const Curves curves = curvesOf(overTime, pointed_ >= 0 || !low_);  // little room is for the methods
        const widgets::PlotReadout readout = drawPlot(specOf(overTime, curves), curves.drawn, half);
        if (readout.nearest >= 0 && readout.nearest < int(curves.contestants.size()))
            pointedNow_ = int(curves.contestants[readout.nearest]);
    });
}

/// For the bundle that was just written: both plots on paper, whether or not the panel has room for both.
void RacePanel::keepPictures() {
    if (!model_.bundleWantsPictures()) return;
    model_.racePictures.clear();
    for (const bool overTime : {false, true}) {
        const Curves curves = curvesOf(overTime, true);
        widgets::PlotSpec spec = specOf(overTime, curves);
        spec.views = &model_.plotViews;
        model_.racePictures.emplace_back(overTime ? "time.svg" : "iterations.svg",
                                         widgets::plotSvg(spec, curves.drawn, theme_));
    }
}

}  // namespace clothlab::app::panels
