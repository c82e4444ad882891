#include "lessons/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.hpp"
#include "simulation/report_columns.hpp"

namespace clothlab::lessons {
namespace {

using experiments::RaceRow;
using simulation::StepReport;

struct Aggregate {
    std::string_view name, words;  ///< "{}" is the column
    double (*of)(std::span<const double>);
};
constexpr std::array kAggregates{
    Aggregate{"first", "{} at the start", [](std::span<const double> v) { return v.front(); }},
    Aggregate{"last", "{} at the end", [](std::span<const double> v) { return v.back(); }},
    Aggregate{"min", "smallest {}", [](std::span<const double> v) { return std::ranges::min(v); }},
    Aggregate{"max", "largest {}", [](std::span<const double> v) { return std::ranges::max(v); }},
    Aggregate{"mean", "mean {}",
              [](std::span<const double> v) {
                  double sum = 0;
                  for (const double x : v) sum += x;
                  return sum / double(v.size());
              }},
    Aggregate{"sum", "sum of {}",
              [](std::span<const double> v) {
                  double sum = 0;
                  for (const double x : v) sum += x;
                  return sum;
              }},
};

struct OfRace {
    std::string_view name, words;  ///< "{}" is the method
    double (*of)(const RaceRow&);
};
constexpr std::array kOfRace{
    OfRace{"iterations", "iterations of {}", [](const RaceRow& r) { return double(r.iterations); }},
    OfRace{"condition", "condition number of {}", [](const RaceRow& r) { return r.condition(); }},
    OfRace{"residual", "residual of {}", [](const RaceRow& r) { return r.trueRelativeResidual; }},
    OfRace{"converged", "{} converges", [](const RaceRow& r) { return r.converged() ? 1.0 : 0.0; }},
};

struct OfStep {
    std::string_view name, words, unit, no;  ///< no: of one that is 1 or 0
    double (*of)(const Facts&);
};
constexpr std::array kOfStep{
    OfStep{"steps", "steps taken", "", "", [](const Facts& f) { return double(f.reports.size()); }},
    OfStep{"failed", "a step fails", "", "no step fails", [](const Facts& f) { return f.failed() ? 1.0 : 0.0; }},
    OfStep{"distance", "distance to the ghost", "m", "",
           [](const Facts& f) { return f.distance >= 0 ? f.distance : simulation::columns::kGap; }},
};

template <class Table>
const auto* named(const Table& table, std::string_view name) {
    const auto at = std::ranges::find_if(table, [&](const auto& row) { return row.name == name; });
    return at == table.end() ? nullptr : &*at;
}

template <class Table>
void addNames(const Table& table, std::string& out) {
    for (const auto& row : table) out += fmt::format("{}{}", out.empty() ? "" : ", ", row.name);
}

/// The values of the steps that did not fail, without gaps.
std::vector<double> columnValues(std::span<const StepReport> reports, const simulation::ReportColumn& column) {
    std::vector<double> values;
    for (const StepReport& report : reports)
        if (const double value = column.value(report); !hasFailed(report.status) && !std::isnan(value))
            values.push_back(value);
    return values;
}

}  // namespace

bool Facts::failed() const {
    return std::ranges::any_of(reports, [](const StepReport& r) { return hasFailed(r.status); });
}

std::string checkQuantity(const Quantity& q, int number) {
    if (q.step > number) return fmt::format("step{} comes after this step, which is the {}th", q.step, number);
    if (named(kAggregates, q.name)) {
        if (q.arguments.size() != 1) return fmt::format("{}() takes one column of reports", q.name);
        if (simulation::findColumn(q.arguments[0])) return {};
        return fmt::format("there is no column '{}' in reports (docs/command-line.md lists them)",
                           shown(q.arguments[0]));
    }
    if (q.name == "race") {
        std::string names;
        addNames(kOfRace, names);
        if (q.arguments.size() != 2 || !named(kOfRace, q.arguments[1]))
            return fmt::format("race() takes a method in quotes and one of: {}", names);
        return {};
    }
    if (named(kOfStep, q.name)) return q.arguments.empty() ? "" : fmt::format("{}() takes nothing", q.name);
    std::string names;
    addNames(kAggregates, names);
    addNames(kOfStep, names);
    return fmt::format("there is no quantity '{}' (valid: {}, race)", shown(q.name), names);
}

double quantityValue(const Quantity& q, std::span<const Facts> all, int number) {
    constexpr double kUnknown = simulation::columns::kGap;
    const std::size_t step = std::size_t(q.step > 0 ? q.step : number) - 1;
    if (step >= all.size()) return kUnknown;
    const Facts& facts = all[step];
    if (const OfStep* of = named(kOfStep, q.name)) return of->of(facts);
    if (q.name == "race") {
        for (const RaceRow& row : facts.race.rows)
            if (experiments::goesBy(facts.race.field[row.contestant], q.arguments[0]))
                return named(kOfRace, q.arguments[1])->of(row);
        return kUnknown;
    }
    const auto values =
        columnValues(q.ghost ? facts.ghostReports : facts.reports, *simulation::findColumn(q.arguments[0]));
    return values.empty() ? kUnknown : named(kAggregates, q.name)->of(values);
}

QuantityWords quantityWords(const Quantity& q) {
    if (const OfStep* of = named(kOfStep, q.name)) {
        const std::string text(of->words);
        return {text, std::string(of->unit), of->no.empty() ? "" : text, std::string(of->no)};
    }
    if (q.name == "race") {
        const auto who = experiments::contestantsNamed({}, std::span(&q.arguments[0], 1));
        const std::string method = who && !who->empty() ? who->front().label() : q.arguments[0];
        const OfRace& of = *named(kOfRace, q.arguments[1]);
        QuantityWords words{fmt::format(fmt::runtime(of.words), method), {}, {}, {}};
        if (of.name == "converged") words.yes = words.text, words.no = method + " does not converge";
        return words;
    }
    const simulation::ReportColumn& column = *simulation::findColumn(q.arguments[0]);
    std::string label(column.label);
    const bool stretch = column.key == "max_strain", shear = column.key == "max_shear_strain";
    if (stretch || shear) label = stretch ? "stretch strain" : "shear strain";
    std::string_view how = named(kAggregates, q.name)->words;
    if (column.whole && q.name == "max") how = "most {}";
    if (column.whole && q.name == "min") how = "fewest {}";
    const std::string_view first = how.substr(0, how.find('{'));
    if (!first.empty() && label.starts_with(first)) label = label.substr(first.size());  // said once
    return {fmt::format(fmt::runtime(how), label), stretch || shear ? "%" : std::string(column.unit), {}, {}};
}

}  // namespace clothlab::lessons
