#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "experiments/race/race_text.hpp"
#include "model/method_styles.hpp"
#include "panels/race/race_panel.hpp"
#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"

// The table of a race.
namespace clothlab::app::panels {

using widgets::formatNumber;

namespace {

using experiments::Contestant;
using experiments::RaceRow;

constexpr widgets::CurveColumn kTableColumns[] = {
    {"method", "method", 0,
     "• = active method. Click a row to use that method, with these parameters. Dashed curves are MPCG's; variants of "
     "a method differ by their marks. A click on the mark of a row hides its curve; a right click copies."},
    {"status", "status", 78,
     "How the solve ended. What does not arrive stays in the table, with the residual that it reached.", true},
    {"iter.", "iterations", 58, "Iterations of conjugate gradients."},
    {"set-up", "set-up, ms", 62, "Milliseconds for copies and numeric factors: paid for every matrix."},
    {"total", "total, ms", 112,
     "Milliseconds for set-up and solve, symbolic analysis apart: what a step pays. The median of several runs and, in "
     "brackets, the shortest and the longest of them."},
    {"cold", "first solve, ms", 84, "Total with the symbolic analysis, in milliseconds: what the first step pays."},
    {"cond.", "condition", 58,
     "Condition number of the preconditioned matrix: largest over smallest Ritz value. Conjugate gradients compute "
     "them as they go; they lie inside of the spectrum, so this is a lower bound, close once the solve has "
     "converged. They need at most about its square root in iterations for each digit."},
    {"MB", "MB", 36, "Memory of the preconditioner or factor, in megabytes."},
    {"rank", "rank", 40,
     "Place by total time. Methods whose runs (but the shortest and the longest) overlap in time "
     "share it: the times do not tell which of them is faster."},
};
constexpr int kIterations = 2, kTotal = 4, kCold = 5, kCondition = 6, kRank = 8;

std::string statusText(const RaceRow& row) { return row.cut ? "cut" : std::string(enumLabel(row.status)); }

/// Columns in the order in which a narrow window gives them room; before all, the method has kMethodWidth.
constexpr std::size_t kByWorth[] = {kIterations, kTotal, kRank, 1, 6, 3, 5, 7},
                      kWithoutTimes[] = {kIterations, kRank, 1, 6, 7};
constexpr float kMethodWidth = 150, kMedianWidth = 58;  // points

/// Rows that a column cannot place come last in either direction: by time and rank those that have not arrived.
bool placed(const RaceRow& row, int column) {
    switch (column) {
        case kTotal:
        case kCold:
            return row.converged();
        case kCondition:
            return row.condition() > 0;
        default:
            return true;
    }
}

/// What the table sorts by.
double sortKey(const RaceRow& row, int column) {
    switch (column) {
        case kIterations:
            return row.iterations;
        case 3:
            return row.setUpMs;
        case kTotal:
        case kRank:
            return row.totalMs;
        case kCold:
            return row.coldMs;
        case kCondition:
            return row.condition();
        case 7:
            return row.bytes;
        default:
            return double(row.contestant);
    }
}

std::string conditionText(double condition) {
    return fmt::format(
        "condition number {} at least, as far as these iterations have seen it: conjugate gradients need about its "
        "square root, {}, in iterations for each digit. A tighter tolerance sees more.",
        formatNumber(condition, 3), formatNumber(std::sqrt(condition), 2));
}

std::string cell(double value) { return value > 0 ? formatNumber(value, 3) : "-"; }

/// "2.9 (2.7 to 3.4)"
std::string totalText(const RaceRow& row, bool narrow) {
    if (!(row.totalMs > 0)) return "-";
    if (narrow) return formatNumber(row.totalMs, 3);
    if (row.runs < 2) return formatNumber(row.totalMs, 3) + " (once)";
    return fmt::format("{} ({} to {})", formatNumber(row.totalMs, 3), formatNumber(row.totalMinMs, 2),
                       formatNumber(row.totalMaxMs, 2));
}

constexpr const char* kRankByIterations =
    "Place by iterations. Methods that need as many share it; a direct solver has none.";

}  // namespace

/// Of the tolerance and the choice that are shown. Each frame anew: the results are others.
void RacePanel::collectRows() {
    std::vector<solvers::Method> methods;
    for (const Contestant& who : result().field) methods.push_back(who.method);
    looks_ = styles_ = methodStyles(methods);
    if (note_.stale()) std::ranges::transform(styles_, styles_.begin(), inGrey);
    rows_.clear();
    for (const RaceRow& row : result().rows)
        if (row.tolerance == tolerance() &&
            (!result().options.names.empty() ||
             experiments::racesAmong(result().field[row.contestant], model_.racing.choice)))
            rows_.push_back(&row);
    ranks_ = timesLeftOut() ? experiments::iterationRanks(rows_) : experiments::raceRanks(rows_);
    places_.clear();
    for (std::size_t k = 0; k < rows_.size(); ++k) places_[rows_[k]] = ranks_[k];
}

void RacePanel::sortRows() {
    const bool byRank = sortColumn_ == kRank;
    const auto less = [&](const RaceRow* a, const RaceRow* b) {
        if (byRank && timesLeftOut()) return places_.at(a) < places_.at(b);
        if (sortColumn_ == 1) return statusText(*a) < statusText(*b);
        if (sortColumn_ == 0) return result().field[a->contestant].label() < result().field[b->contestant].label();
        return sortKey(*a, sortColumn_) < sortKey(*b, sortColumn_);
    };
    std::stable_sort(rows_.begin(), rows_.end(), [&](const RaceRow* a, const RaceRow* b) {
        const bool first = byRank ? places_.at(a) > 0 : placed(*a, sortColumn_),
                   second = byRank ? places_.at(b) > 0 : placed(*b, sortColumn_);
        if (first != second) return first;
        return ascending_ ? less(a, b) : less(b, a);
    });
}

/// All that arrived share the first place, and the tightest tolerance is not the one shown.
bool RacePanel::tied() const {
    const auto arrived = std::ranges::count_if(ranks_, [](int rank) { return rank > 0; });
    return arrived > 2 && std::ranges::count(ranks_, 1) == arrived &&
           std::ranges::any_of(result().rows, [&](const RaceRow& row) { return row.tolerance < tolerance(); });
}

/// "3", or "3-5" where three of the rows shown share the place.
std::string RacePanel::rankText(const RaceRow& row) const {
    const int rank = places_.at(&row);
    if (rank == 0) return "-";
    const auto sharing = std::ranges::count(ranks_, rank);
    return sharing == 1 ? fmt::format("{}", rank) : fmt::format("{}-{}", rank, rank + sharing - 1);
}

void RacePanel::table(float height) {
    std::vector<widgets::CurveColumn> columns(std::begin(kTableColumns), std::end(kTableColumns));
    if (timesLeftOut()) columns[kRank].help = kRankByIterations;
    columns[kTotal].width = kMedianWidth;  // where it is narrow the row's tooltip has the rest
    if (!narrow_) {
        const widgets::FontScope font(theme_.small);
        for (const RaceRow* row : rows_)
            columns[kTotal].width = std::max(columns[kTotal].width,
                                             ImGui::CalcTextSize(totalText(*row, false).c_str()).x / theme_.scale + 2);
    }
    const widgets::CurveTableSpec spec{
        .name = "race",
        .columns = columns,
        .worth = timesLeftOut() ? std::span<const std::size_t>(kWithoutTimes) : std::span<const std::size_t>(kByWorth),
        .nameWidth = kMethodWidth,
        .sortedBy = timesLeftOut() ? kIterations : kTotal,
        .height = height};
    ImGui::PushID(timesLeftOut() ? "lesson" : "race");  // each remembers what it is sorted by
    {
        widgets::CurveTable table(spec, theme_, layout_, widgets_);
        if (const auto sorting = table.sorting()) {
            sortColumn_ = sorting->column;
            ascending_ = sorting->ascending;
        }
        sortRows();
        for (const RaceRow* row : rows_) drawRow(table, *row);
        rowMenu();
    }
    ImGui::PopID();
}

bool RacePanel::isHidden(const RaceRow& row) const {
    return model_.plotViews.hidden(kIterationsPlot, result().field[row.contestant].label());
}

void RacePanel::turnCurve(const RaceRow& row) {
    for (const std::string_view plot : {kIterationsPlot, kTimePlot})
        model_.plotViews.turn(plot, result().field[row.contestant].label());
}

void RacePanel::showAllCurves() {
    for (const RaceRow* row : rows_)
        if (isHidden(*row)) turnCurve(*row);
}

/// Of the row that was clicked with the right button.
void RacePanel::rowMenu() {
    constexpr const char* kMenu = "race/menu";
    if (std::exchange(menuAsked_, false)) ImGui::OpenPopup(kMenu);
    if (!ImGui::BeginPopup(kMenu)) return;
    const auto row = std::ranges::find(rows_, menuOf_, &RaceRow::contestant);
    if (row == rows_.end()) return ImGui::EndPopup();
    const auto entry = [&](const char* key, const char* words) {
        const bool chosen = ImGui::MenuItem(words);
        layout_.markLast(std::string(kMenu) + "/" + key);
        return chosen;
    };
    if (entry("turn", isHidden(**row) ? "Show its curve" : "Hide its curve")) turnCurve(**row);
    if (entry("only", "Show its curve alone"))
        for (const RaceRow* other : rows_)
            if (isHidden(*other) != (other != *row)) turnCurve(*other);
    if (entry("all", "Show all curves")) showAllCurves();
    ImGui::Separator();
    const auto copy = [&](std::span<const RaceRow* const> rows) {  // with the places that the table has
        std::vector<int> ranks;
        for (const RaceRow* each : rows) ranks.push_back(places_.at(each));
        ImGui::SetClipboardText(experiments::raceCsv(result(), rows, ranks).c_str());
    };
    if (entry("copy", "Copy row as CSV")) copy({&*row, 1});
    if (entry("copy_all", "Copy table as CSV")) copy(rows_);
    ImGui::EndPopup();
}

void RacePanel::drawRow(widgets::CurveTable& table, const RaceRow& row) {
    const Contestant& who = result().field[row.contestant];
    std::string key = who.solverKey() + " " + who.methodText();
    std::replace(key.begin(), key.end(), ' ', '+');  // input scripts name it in one word
    const std::string cells[] = {statusText(row),       row.iterations > 0 ? formatNumber(row.iterations, 6) : "-",
                                 cell(row.setUpMs),     totalText(row, narrow_),
                                 cell(row.coldMs),      cell(row.condition()),
                                 cell(row.bytes / 1e6), rankText(row)};
    const auto now = table.row({.index = row.contestant,
                                .key = key,
                                .label = who.label(),
                                .style = styles_[row.contestant],
                                .active = isActive(who),
                                .faint = !row.converged() || note_.stale(),
                                .hidden = isHidden(row),
                                .cells = cells},
                               pointed_ == int(row.contestant));
    if (now.chosen) choose(who);
    if (now.turned) turnCurve(row);
    if (now.menu) menuOf_ = row.contestant, menuAsked_ = true;
    if (pointedNow_ < 0 && now.hovered) {  // neighbours overlap by a pixel
        pointedNow_ = int(row.contestant);
        rowTooltip(row);
    }
}

/// Rows whose curve is that of this one: "MPCG · Constrained block, ...".
std::string RacePanel::twinsOf(const RaceRow& row) const {
    constexpr double kSame = 0.02;  // of the residual: no pixel
    std::string names;
    for (const RaceRow* other : rows_) {
        const bool same = other != &row && row.residuals.size() > 1 &&
                          std::ranges::equal(row.residuals, other->residuals, [](float a, float b) {
                              return std::abs(a - b) <= kSame * std::max(a, b);
                          });
        if (same) names += (names.empty() ? "" : ", ") + result().field[other->contestant].label();
    }
    return names;
}

/// Where the time goes, how the solve ended, and the Ritz values as ticks on a logarithmic line.
void RacePanel::rowTooltip(const RaceRow& row) const {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(theme_.px(370));
    ImGui::TextUnformatted(result().field[row.contestant].label().c_str());
    if (!timesLeftOut())
        ImGui::TextColored(theme_.quiet(),
                           "total %s · first solve %s ms\nanalysis %s · set-up %s · products %s · applications %s ms",
                           totalText(row, false).c_str(), cell(row.coldMs).c_str(), cell(row.analyzeMs).c_str(),
                           cell(row.setUpMs).c_str(), cell(row.multiplyMs).c_str(), cell(row.applyMs).c_str());
    ImGui::TextColored(theme_.quiet(), "true residual %s · %d run%s%s%s",
                       row.trueRelativeResidual >= 0 ? formatNumber(row.trueRelativeResidual, 2).c_str() : "-",
                       row.runs, plural(row.runs), row.message.empty() ? "" : "\n", row.message.c_str());
    if (const std::string twins = twinsOf(row); !twins.empty())
        ImGui::TextColored(theme_.quiet(), "the same curve: %s", twins.c_str());
    if (row.ritz.size() > 1 && row.smallestRitz > 0) {
        ImGui::TextColored(theme_.quiet(), "Ritz values %s .. %s\n%s", formatNumber(row.smallestRitz, 3).c_str(),
                           formatNumber(row.largestRitz, 3).c_str(), conditionText(row.condition()).c_str());
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float width = theme_.px(300), height = theme_.px(14);
        const double low = std::log10(row.smallestRitz), span = std::max(1e-9, std::log10(row.largestRitz) - low);
        ImDrawList* draw = ImGui::GetWindowDrawList();
        draw->AddLine({at.x, at.y + height}, {at.x + width, at.y + height}, theme_.colors.track);
        for (const float value : row.ritz) {
            const float x = at.x + width * float((std::log10(std::max(1e-30f, value)) - low) / span);
            draw->AddLine({x, at.y + theme_.px(2)}, {x, at.y + height}, theme_.colors.text);
        }
        ImGui::Dummy({width, height + theme_.px(2)});
    }
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

}  // namespace clothlab::app::panels
