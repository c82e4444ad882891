#include "film/lesson_plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "lessons/plots.hpp"
#include "model/method_styles.hpp"
#include "model/motion_plot.hpp"
#include "simulation/report_columns.hpp"

namespace clothlab::app::film {

using lessons::Facts;
using lessons::LessonStep;
using lessons::Quantity;
using widgets::Dash;
using widgets::Style;

namespace {

constexpr std::string_view kGhost = "ghost", kEnergy = "energy";

/// Which columns of reports the window's plots have.
std::vector<std::string_view> listColumns(std::string_view plot) {
    if (plot == kEnergy) return {"total_j", "kinetic_j", "elastic_j", "gravity_j"};
    if (plot == "strain") return {"max_strain", "max_shear_strain"};
    if (plot == "iterations") return {"linear_iterations"};
    if (plot == "residual") return {"true_relative_residual"};
    if (plot == "dt") return {"dt"};
    if (plot == "components") return {"components", "largest_component"};
    if (plot == "stages") return {"step_ms"};
    return {plot};
}

/// All that the claims of a part name.
std::vector<Quantity> listQuantities(const LessonStep& step) {
    std::vector<Quantity> all;
    const lessons::Lookup note = [&](const Quantity& quantity) {
        all.push_back(quantity);
        return 1.0;
    };
    for (const lessons::Claim& claim : step.claims) claim.left(note), claim.right(note);
    return all;
}

std::vector<double> columnValues(const simulation::ReportColumn& column,
                                 std::span<const simulation::StepReport> reports) {
    std::vector<double> values;
    for (const simulation::StepReport& report : reports) values.push_back(column.value(report));
    return values;
}

std::string capitalised(std::string_view text) {
    std::string out(text);
    if (!out.empty()) out[0] = char(std::toupper(static_cast<unsigned char>(out[0])));
    return out;
}

}  // namespace

/// The plot that the lesson names, if it is one of the motion, else what the first claim of the part is about.
std::string LessonPlot::plotSubject() const {
    const LessonStep& step = lesson_.steps[part_];
    const std::string_view named = lessons::plotAt(lesson_, part_);
    if (!named.empty() && !lessons::isPanelPlot(named)) return std::string(named);
    for (const Quantity& quantity : listQuantities(step)) {
        if (quantity.name == "distance") return std::string(kGhost);
        if (!quantity.arguments.empty() && simulation::findColumn(quantity.arguments[0])) return quantity.arguments[0];
    }
    return std::string(step.race.empty() ? kEnergy : "iterations");
}

void LessonPlot::take(std::string name, Style style, std::vector<double> y) {
    std::vector<double>& x = numbers_.emplace_back();
    for (std::size_t k = 0; k < y.size(); ++k) x.push_back(double(k + 1));
    const std::vector<double>& values = numbers_.emplace_back(std::move(y));
    curves_.push_back({.name = names_.emplace_back(std::move(name)), .style = style, .x = x, .y = values});
}

void LessonPlot::addColumnCurves(const std::string& what, std::span<const Facts> facts,
                                 std::span<const double> distances) {
    if (what == kGhost) {
        title_ = "Distance to the ghost";
        unit_ = "mm";
        std::vector<double> millimetres(distances.begin(), distances.end());
        for (double& value : millimetres) value = value < 0 ? std::nan("") : 1e3 * value;
        return take("largest", widgets::hue::kGhost, std::move(millimetres));
    }
    const std::vector<std::string_view> columns = listColumns(what);
    const auto entry = std::ranges::find(model::motionPlots(), what, &model::MotionPlotEntry::key);
    const auto* first = simulation::findColumn(columns.front());
    if (!first) return;
    title_ = entry != model::motionPlots().end() ? std::string(entry->name) : capitalised(first->label);
    unit_ = first->unit;
    const Facts& now = facts.back();
    if (columns.size() > 1) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const simulation::ReportColumn& column = *simulation::findColumn(columns[c]);
            const Style style = what == kEnergy ? model::energyStyles()[c].style : widgets::seriesStyle(c);
            take(std::string(column.label), style, columnValues(column, now.reports));
        }
        return;
    }
    take(fmt::format("part {}", part_ + 1), widgets::seriesStyle(0), columnValues(*first, now.reports));
    if (!now.ghostReports.empty())
        take("ghost", {widgets::hue::kGhost, Dash::Dashed}, columnValues(*first, now.ghostReports));
    std::set<int> others;  // parts that the claims compare with
    for (const Quantity& quantity : listQuantities(lesson_.steps[part_]))
        if (quantity.step > 0 && quantity.step <= int(part_)) others.insert(quantity.step);
    for (const int other : others)
        take(fmt::format("part {}", other), {widgets::seriesStyle(std::size_t(other)).color, Dash::Dotted},
             columnValues(*first, facts[std::size_t(other) - 1].reports));
}

/// Residuals against iterations, as in the window's race.
void LessonPlot::addRaceCurves(const experiments::RaceResult& race) {
    std::vector<solvers::Method> methods;
    for (const experiments::Contestant& who : race.field) methods.push_back(who.method);
    const std::vector<Style> styles = model::methodStyles(methods);
    for (const experiments::RaceRow& row : race.rows) {
        take(race.field[row.contestant].label(), styles[row.contestant],
             std::vector<double>(row.residuals.begin(), row.residuals.end()));
        for (double& at : numbers_[numbers_.size() - 2]) --at;  // the start is iterate 0
    }
    title_ = "Race on the last step: residual";
    unit_ = "relative";
}

void LessonPlot::draw(std::span<const Facts> facts, std::span<const double> distances, ImVec2 size,
                      const widgets::UiTheme& theme, widgets::LayoutMap& layout) {
    names_.clear(), numbers_.clear(), curves_.clear();
    const std::string_view named = lessons::plotAt(lesson_, part_);
    const bool raced = !facts.back().race.rows.empty() && (named.empty() || lessons::isPanelPlot(named));
    if (raced)
        addRaceCurves(facts.back().race);
    else
        addColumnCurves(plotSubject(), facts, distances);
    widgets::PlotSpec spec;
    spec.id = "lesson.plot";
    spec.title = title_;
    spec.unit = unit_;
    spec.xLabel = raced ? "iteration" : "step";
    spec.logY = raced;
    spec.fromZero = !raced;
    spec.xMax = raced ? 5 : std::max(2, lesson_.steps[part_].steps);
    for (const widgets::PlotCurve& curve : curves_)
        if (!curve.x.empty()) spec.xMax = std::max(spec.xMax, curve.x.back());
    spec.emptyText = "from the first step on";
    widgets::drawPlot(spec, curves_, size, theme, layout);
}

}  // namespace clothlab::app::film
