#include <fmt/format.h>

#include <algorithm>

#include "actions/showing.hpp"
#include "panels/descent/descent_panel.hpp"
#include "widgets/numbers.hpp"
#include "widgets/plots/curve_table.hpp"

// The table of a descent, in the order of its field.
namespace clothlab::app::panels {

using widgets::formatNumber;

namespace {

using experiments::NonlinearEntry;
using experiments::NonlinearRow;

constexpr const char* kDescentMethodHelp =
    "• = active method. Click a row to use that method; how many iterations it takes in a step stays as it is. Variants "
    "of a method differ by their marks.";
constexpr float kNameWidth = 190, kLargeNameWidth = 220;  // points
constexpr std::size_t kFirstRows = 5;

constexpr const experiments::NonlinearColumn& kThousandthColumn =
    experiments::kNonlinearColumns[experiments::indexOf(experiments::kNonlinearColumns, "ms_to_1e-3")];

}  // namespace

std::vector<NonlinearEntry> DescentPanel::rowsShown() const {
    std::vector<NonlinearEntry> rows = toEntries(race());
    if (!room_ || !actions::controlsFolded(model_) || rows.size() <= kFirstRows) return rows;
    std::ranges::stable_sort(rows,
                             [](const auto& a, const auto& b) { return comesBefore(kThousandthColumn, a, b, true); });
    const auto rest = rows.begin() + kFirstRows;
    const auto active =
        std::find_if(rest, rows.end(), [&](const NonlinearEntry& entry) { return isActive(*entry.who); });
    if (active != rows.end()) std::iter_swap(rest, active);
    rows.resize(kFirstRows + (active != rows.end() ? 1 : 0));
    return rows;
}

void DescentPanel::table(const std::vector<NonlinearEntry>& rows, float height) {
    Columns columns(experiments::kNonlinearColumns, true, false);
    columns.columns.front().help = kDescentMethodHelp;
    const widgets::CurveTableSpec spec{.name = "descent",
                                       .columns = columns.columns,
                                       .worth = columns.worth,
                                       .nameWidth = room_ ? kLargeNameWidth : kNameWidth,
                                       .height = height,
                                       .large = room_};
    widgets::CurveTable table(spec, theme_, layout_, widgets_);
    for (const NonlinearEntry& entry : rows) drawRow(table, columns, entry);
}

void DescentPanel::drawRow(widgets::CurveTable& table, const Columns& columns, const NonlinearEntry& entry) {
    const experiments::NonlinearContestant& who = *entry.who;
    const NonlinearRow& row = *entry.row;
    const bool whole = row.problem.empty();
    const std::vector<std::string> cells = columns.cells(entry);
    const auto now = table.row({.index = row.contestant,
                                .key = who.key,
                                .label = who.label + (whole ? "" : " · " + row.problem),
                                .style = styles_[row.contestant],
                                .active = isActive(who),
                                .faint = !whole || note_.stale(),
                                .cells = cells},
                               pointed_ == int(row.contestant));
    if (now.chosen) choose(who);
    if (pointedNow_ < 0 && now.hovered) {  // neighbours overlap by a pixel
        pointedNow_ = int(row.contestant);
        rowTooltip(row);
    }
}

/// All that the table has no room for.
void DescentPanel::rowTooltip(const NonlinearRow& row) const {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(theme_.px(370));
    ImGui::TextUnformatted(race().field[row.contestant].label.c_str());
    std::string text;
    for (const std::size_t k : {1, 3, 10, 100, 1000})
        if (k < row.error.size())
            text += fmt::format("{}after {}: error {}, {} ms", text.empty() ? "" : "\n", k,
                                formatNumber(row.error[k], 2), formatNumber(row.milliseconds[k], 3));
    if (race().field[row.contestant].neighbouring())
        text += fmt::format(
            "\nIt solves a neighbouring problem, so its error ends on a plateau; of its own equations "
            "{} of the first pass's is left.",
            formatNumber(row.residual, 2));
    if (!row.problem.empty()) text += (text.empty() ? "" : "\n") + row.problem;
    ImGui::TextColored(theme_.quiet(), "%s", text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

}  // namespace clothlab::app::panels
