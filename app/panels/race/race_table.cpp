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

using model::inGrey;
using widgets::formatNumber;

namespace {

using experiments::Contestant;
using experiments::RaceEntry;
using experiments::RaceRow;

constexpr const char* kRaceMethodHelp =
    "• = active method. Click a row to use that method, with these parameters. Dashed curves are MPCG's; variants of a "
    "method differ by their marks. A click on the mark of a row hides its curve; a right click copies.";
constexpr const char* kRankByIterations =
    "Place by iterations. Methods that need as many share it; a direct solver has none.";
constexpr float kMethodWidth = 150, kRoomMethodWidth = 210;  // points

constexpr const experiments::RaceColumn &kMethodColumn =
                                            experiments::kRaceColumns[indexOf(experiments::kRaceColumns, "method")],
                                        &kTotalColumn =
                                            experiments::kRaceColumns[indexOf(experiments::kRaceColumns, "total_ms")],
                                        &kRankColumn =
                                            experiments::kRaceColumns[indexOf(experiments::kRaceColumns, "rank")],
                                        &kIterationsColumn =
                                            experiments::kRaceColumns[indexOf(experiments::kRaceColumns, "iterations")];

std::string conditionText(double condition) {
    return fmt::format(
        "condition number {} at least, as far as these iterations have seen it: conjugate gradients need about its "
        "square root, {}, in iterations for each digit. A tighter tolerance sees more.",
        formatNumber(condition, 3), formatNumber(std::sqrt(condition), 2));
}

std::string cell(double value) { return value > 0 ? formatNumber(value, 3) : "-"; }

}  // namespace

/// The rows of the tolerance and the choice that are shown. Each frame anew: the results are others.
void RacePanel::collectRows() {
    std::vector<widgets::Style> looks;
    for (const Contestant& who : result().field)
        looks.push_back(who.isProgram() ? model::programStyle()
                                        : model::methodStyle(who.method.solver.kind, who.method.preconditioner.kind));
    looks_ = styles_ = model::withVariantMarks(std::move(looks));
    if (note_.stale()) std::ranges::transform(styles_, styles_.begin(), inGrey);
    std::vector<const RaceRow*> shown;
    for (const RaceRow& row : result().rows)
        if (row.tolerance == tolerance() &&
            (!result().options.names.empty() ||
             experiments::racesAmong(result().field[row.contestant], model_.racing.choice)))
            shown.push_back(&row);
    busy_ = timesLeftOut() ? "" : experiments::busyNote(shown);
    rows_ = experiments::toEntries(result(), shown,
                                   timesLeftOut() ? experiments::RankBy::Iterations : experiments::RankBy::Time);
    raced_ = rows_.size();
    const auto arrived = std::ranges::count_if(rows_, [](const RaceEntry& entry) { return entry.rank > 0; });
    tied_ = !timesLeftOut() && arrived > 2 && std::ranges::count(rows_, 1, &RaceEntry::rank) == arrived &&
            std::ranges::any_of(result().rows, [&](const RaceRow& row) { return row.tolerance < tolerance(); });
}

/// The first rows, and the active one: how far it is behind.
void RacePanel::keepBest() {
    const experiments::RaceColumn& by = timesLeftOut() ? kIterationsColumn : kTotalColumn;
    std::ranges::stable_sort(rows_,
                             [&](const RaceEntry& a, const RaceEntry& b) { return comesBefore(by, a, b, true); });
    if (rows_.size() <= kBest) return;
    const auto rest = rows_.begin() + kBest;
    const auto active = std::find_if(rest, rows_.end(), [&](const RaceEntry& entry) { return isActive(entry.who()); });
    if (active != rows_.end()) std::iter_swap(rest, active);
    rows_.resize(kBest + (active != rows_.end() ? 1 : 0));
}

void RacePanel::sortRows(const experiments::RaceColumn& column) {
    const auto sortBy = [&](const experiments::RaceColumn& key) {
        std::ranges::stable_sort(
            rows_, [&](const RaceEntry& a, const RaceEntry& b) { return comesBefore(key, a, b, ascending_); });
    };
    if (&column == &kRankColumn && !timesLeftOut()) sortBy(kTotalColumn);  // rows that share a place
    sortBy(column);
}

void RacePanel::table(float height) {
    Columns columns(experiments::kRaceColumns, !timesLeftOut(), narrow_);
    columns.columns[columns.indexOf(kMethodColumn)].help = kRaceMethodHelp;
    if (timesLeftOut()) columns.columns[columns.indexOf(kRankColumn)].help = kRankByIterations;
    {
        const widgets::FontScope font(theme_.small);
        columns.widen(rows_, theme_.scale);  // where it is narrow the row's tooltip has the rest
    }
    const widgets::CurveTableSpec spec{.name = "race",
                                       .columns = columns.columns,
                                       .worth = columns.worth,
                                       .nameWidth = low_ && model_.looks.presenter ? kRoomMethodWidth : kMethodWidth,
                                       .sortedBy = columns.indexOf(timesLeftOut() ? kIterationsColumn : kTotalColumn),
                                       .height = height,
                                       .large = low_ && model_.looks.presenter};
    ImGui::PushID(timesLeftOut() ? "lesson" : "race");  // each remembers what it is sorted by
    {
        widgets::CurveTable table(spec, theme_, layout_, widgets_);
        if (const auto sorting = table.sorting()) {
            sortColumn_ = &columns.at(sorting->column);
            ascending_ = sorting->ascending;
        }
        sortRows(sortColumn_ ? *sortColumn_ : kTotalColumn);
        for (const RaceEntry& entry : rows_) drawRow(table, columns, entry);
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
    for (const RaceEntry& entry : rows_)
        if (isHidden(*entry.row)) turnCurve(*entry.row);
}

/// The menu of the row that was clicked with the right button.
void RacePanel::rowMenu() {
    constexpr const char* kMenu = "race/menu";
    if (std::exchange(menuAsked_, false)) ImGui::OpenPopup(kMenu);
    if (!ImGui::BeginPopup(kMenu)) return;
    const auto entry = std::ranges::find_if(rows_, [&](const RaceEntry& e) { return e.row->contestant == menuOf_; });
    if (entry == rows_.end()) return ImGui::EndPopup();
    const RaceRow& row = *entry->row;
    const auto item = [&](const char* key, const char* words) {
        const bool chosen = ImGui::MenuItem(words);
        layout_.markLast(std::string(kMenu) + "/" + key);
        return chosen;
    };
    if (item("turn", isHidden(row) ? "Show its curve" : "Hide its curve")) turnCurve(row);
    if (item("only", "Show only its curve"))
        for (const RaceEntry& other : rows_)
            if (isHidden(*other.row) != (other.row != &row)) turnCurve(*other.row);
    if (item("all", "Show all curves")) showAllCurves();
    ImGui::Separator();
    const auto copy = [](std::span<const RaceEntry> rows) {  // with the places that the table has
        ImGui::SetClipboardText(experiments::raceCsv(rows).c_str());
    };
    if (item("copy", "Copy row as CSV")) copy({&*entry, 1});
    if (item("copy_all", "Copy table as CSV")) copy(rows_);
    ImGui::EndPopup();
}

void RacePanel::drawRow(widgets::CurveTable& table, const Columns& columns, const RaceEntry& entry) {
    const RaceRow& row = *entry.row;
    const Contestant& who = entry.who();
    std::string key = who.solverKey() + " " + who.methodText();
    std::replace(key.begin(), key.end(), ' ', '+');  // input scripts name it in one word
    const std::vector<std::string> cells = columns.cells(entry);
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
        rowTooltip(entry);
    }
}

/// Rows whose curve is that of this one: "MPCG · Constrained block, ...".
std::string RacePanel::twinNames(const RaceRow& row) const {
    constexpr double kSame = 0.02;  // of the residual: no pixel
    std::string names;
    for (const RaceEntry& entry : rows_) {
        const RaceRow* other = entry.row;
        const bool same = other != &row && row.residuals.size() > 1 &&
                          std::ranges::equal(row.residuals, other->residuals, [](float a, float b) {
                              return std::abs(a - b) <= kSame * std::max(a, b);
                          });
        if (same) names += (names.empty() ? "" : ", ") + result().field[other->contestant].label();
    }
    return names;
}

/// Where the time goes, how the solve ended, and the Ritz values as ticks on a logarithmic line.
void RacePanel::rowTooltip(const RaceEntry& entry) const {
    const RaceRow& row = *entry.row;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(theme_.px(370));
    ImGui::TextUnformatted(result().field[row.contestant].label().c_str());
    if (!timesLeftOut())
        ImGui::TextColored(
            theme_.quiet(), "total %s · first solve %s ms\nanalysis %s · set-up %s · products %s · applications %s ms",
            windowCell(kTotalColumn, entry).c_str(), cell(row.coldMs).c_str(), cell(row.analyzeMs).c_str(),
            cell(row.setUpMs).c_str(), cell(row.multiplyMs).c_str(), cell(row.applyMs).c_str());
    ImGui::TextColored(theme_.quiet(), "true residual %s · %d run%s%s%s",
                       row.trueRelativeResidual >= 0 ? formatNumber(row.trueRelativeResidual, 2).c_str() : "-",
                       row.runs, plural(row.runs), row.message.empty() ? "" : "\n", row.message.c_str());
    if (row.claimed)
        ImGui::TextColored(theme_.quiet(), "Set-up, total and iterations are what it says; its process took %s ms.",
                           cell(row.processMs).c_str());
    if (const std::string twins = twinNames(row); !twins.empty())
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
