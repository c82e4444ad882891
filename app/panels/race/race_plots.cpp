#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "experiments/systems/quadratic_form.hpp"
#include "model/method_styles.hpp"
#include "panels/race/race_panel.hpp"

// The residuals of a race, or its errors, against iterations and against time.
namespace clothlab::app::panels {

using experiments::Contestant;
using experiments::RaceRow;
using model::boundStyle;

/// What a plot is drawn from, as long as it is drawn.
struct RacePanel::Curves {
    std::vector<std::vector<double>> x, y;
    std::vector<std::string> names;
    std::vector<std::size_t> contestants;
    std::vector<double> boundAt;
    std::array<std::vector<double>, 2> bounds;
    std::array<std::string, 2> boundNames;
    std::vector<widgets::PlotCurve> drawn;
    double begin = 1e-3, end = 0;  ///< the earliest; the latest of those that arrived
};

RacePanel::Curves RacePanel::makeCurves(Look look) const {
    Curves all;
    for (const experiments::RaceEntry& entry : rows_) {
        const RaceRow* row = entry.row;
        const std::vector<float>& values = look.errors ? row->errors : row->residuals;
        // A solve that was cut has an iterate more or less than times.
        const std::size_t iterates = look.overTime ? std::min(values.size(), row->milliseconds.size()) : values.size();
        if (iterates < 2) continue;
        std::vector<double> at;
        for (std::size_t k = 0; k < iterates; ++k)
            at.push_back(look.overTime ? double(row->milliseconds[k]) : double(row->iterationsAt(k)));
        if (row->converged()) all.end = std::max(all.end, at.back());
        all.x.push_back(std::move(at));
        all.y.emplace_back(values.begin(), values.begin() + std::ptrdiff_t(iterates));
        all.names.push_back(result().field[row->contestant].label());
        all.contestants.push_back(row->contestant);
    }
    if (look.overTime && !all.x.empty()) {
        all.begin = std::numeric_limits<double>::infinity();
        for (const auto& at : all.x)
            if (const auto first = std::ranges::find_if(at, [](double ms) { return ms > 0; }); first != at.end())
                all.begin = std::min(all.begin, *first);
        if (!std::isfinite(all.begin)) all.begin = 1e-3;
        // From time 0: while a method is set up, nothing is solved. A logarithmic axis begins later.
        constexpr double kBeforeTheAxis = 1e-3;
        for (std::size_t c = 0; c < all.x.size(); ++c) {
            all.x[c].insert(all.x[c].begin(), kBeforeTheAxis * all.begin);
            all.y[c].insert(all.y[c].begin(), all.y[c].front());
        }
    }
    for (std::size_t c = 0; c < all.x.size(); ++c) {
        all.drawn.push_back({.name = all.names[c],
                             .style = styles_[all.contestants[c]],
                             .x = all.x[c],
                             .y = all.y[c],
                             .faint = pointed_ >= 0 && pointed_ != int(all.contestants[c])});
    }
    if (look.errors && !look.overTime) addBounds(all);
    return all;
}

/// What Chen (37) promises the row under the pointer, or else the active one, from its Ritz values, and what (24) would
/// promise steepest descent with the same preconditioner. Both are about the energy norm of the error.
void RacePanel::addBounds(Curves& all) const {
    const auto meant = std::ranges::find_if(rows_, [&](const experiments::RaceEntry& entry) {
        return pointed_ >= 0 ? int(entry.row->contestant) == pointed_ : isActive(entry.who());
    });
    if (meant == rows_.end() || !(meant->row->condition() > 0) || isHidden(*meant->row)) return;
    constexpr std::array kMethods{experiments::PlaneMethod::ConjugateGradients,
                                  experiments::PlaneMethod::SteepestDescent};
    const double end = std::max(5.0, 1.04 * all.end);
    for (int k = 0; k <= int(end); ++k) all.boundAt.push_back(double(k));
    for (std::size_t m = 0; m < kMethods.size(); ++m)
        for (const double k : all.boundAt) {
            const double bound = experiments::errorBound(kMethods[m], meant->row->condition(), int(k));
            all.bounds[m].push_back(bound < errorsLeast() ? NAN : bound);
        }
    const widgets::Style style = boundStyle(styles_[meant->row->contestant]);
    const std::string label = result().field[meant->row->contestant].label();
    all.boundNames = {"(37) of " + label, "(24) of " + label + ", steepest descent"};
    for (std::size_t m = 0; m < kMethods.size(); ++m)
        all.drawn.push_back(
            {.name = all.boundNames[m], .style = style, .x = all.boundAt, .y = all.bounds[m], .plain = true});
}

/// Errors of solves that end at a residual end at values of their own.
double RacePanel::errorsLeast() const { return 1e-3 * tolerance(); }

widgets::PlotSpec RacePanel::makeSpec(Look look, const Curves& curves) const {
    constexpr std::string_view kTitles[2][2] = {{"Residual against iterations", "Residual against time"},
                                                {"Error against iterations", "Error against time"}};
    widgets::PlotSpec spec;
    spec.id = look.overTime ? kTimePlot : kIterationsPlot;
    spec.title = kTitles[look.errors][look.overTime];
    spec.measure = look.errors ? "energy norm, relative" : "relative";
    spec.xLabel = look.overTime ? "ms" : "iteration";
    spec.source = captionSource(model_.race()->origin, result().scene, result().threads, look.overTime);
    spec.integerX = !look.overTime;
    spec.logY = true;
    spec.logX = look.overTime;  // the slowest method takes a hundred times as long as the fastest
    spec.legend = false;
    spec.nameCurves = true;
    spec.readNearest = true;
    spec.xMax = look.overTime ? std::max(curves.end, 2 * curves.begin) : std::max(5.0, curves.end * 1.04);
    if (look.overTime) spec.xMin = curves.begin;
    spec.least = look.errors ? errorsLeast() : tolerance() / 30;
    if (!look.errors) spec.threshold = tolerance();  // its number is the chosen button and a tick of the axis
    if (look.errors && !look.overTime)
        spec.noteHelp =
            "Dotted: what the error of the method pointed at, or of the active one, cannot exceed by Chen (37), "
            "2((√κ − 1)/(√κ + 1))ᵏ, and with steepest descent by (24), ((κ − 1)/(κ + 1))ᵏ. κ comes from its Ritz "
            "values: a lower bound, close once the solve has converged.";
    return spec;
}

void RacePanel::plots(ImVec2 size) {
    const auto draw = [&](bool overTime, ImVec2 part) {
        const Look look{.overTime = overTime, .errors = showErrors_};
        const Curves curves = makeCurves(look);
        const widgets::PlotReadout readout = drawPlot(makeSpec(look, curves), curves.drawn, part);
        if (readout.nearest >= 0 && readout.nearest < int(curves.contestants.size()))
            pointedNow_ = int(curves.contestants[readout.nearest]);
    };
    if (timesLeftOut()) return draw(false, size);
    if (model_.looks.presenter && low_) return draw(overTime_, size);
    widgets::plotPair(size, theme_, draw);
}

/// Zoomed to a part of the one measure, a plot would show nothing of the other.
void RacePanel::measure(bool errors) {
    if (errors == showErrors_) return;
    showErrors_ = errors;
    for (const std::string_view plot : {kIterationsPlot, kTimePlot}) model_.plotViews.fit(plot);
}

/// For the bundle that was just written: its plots on paper, whether or not the panel has room for them. Each says of
/// which step it is, and has its colours: there is no other step beside it.
void RacePanel::keepPictures() {
    if (!bundleWantsPictures(model_)) return;
    model_.racing.pictures.clear();
    const std::vector<widgets::Style> shown = std::exchange(styles_, looks_);
    for (const auto& [file, look] : {std::pair{"iterations.svg", Look{}},
                                     {"time.svg", Look{.overTime = true}},
                                     {"errors.svg", Look{.errors = true}}}) {
        const Curves curves = makeCurves(look);
        widgets::PlotSpec spec = makeSpec(look, curves);
        widgets::PlotViews whole = model_.plotViews;  // what is hidden stays hidden
        whole.fit(spec.id);
        spec.views = &whole;
        model_.racing.pictures.emplace_back(file, widgets::plotSvg(spec, curves.drawn, theme_));
    }
    styles_ = shown;
}

}  // namespace clothlab::app::panels
