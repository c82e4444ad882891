#include <fmt/format.h>

#include "panels/descent/descent_panel.hpp"
#include "widgets/curve_table.hpp"
#include "widgets/numbers.hpp"

// The table of a descent, in the order of its field.
namespace clothlab::app::panels {

using widgets::formatNumber;

namespace {

using experiments::NonlinearRow;

constexpr widgets::CurveColumn kDescentColumns[] = {
    {"method", "method", 0,
     "• = active method. Click a row to use that method; how many iterations it takes in a step stays as it is. "
     "Variants of a method differ by their marks."},
    {"iterations", "iterations", 62, "Iterations of local/global or of Newton until it ended."},
    {"each", "ms each", 58, "Milliseconds per iteration, the mean."},
    {"error", "error", 58, "The relative error where it ended."},
    {"1e-3", "to 1e-3, ms", 74, "Milliseconds to a relative error of 1e-3, from the start of the step."},
    {"1e-6", "to 1e-6, ms", 74, "Milliseconds to a relative error of 1e-6, from the start of the step."},
    {"linear", "linear", 48, "Iterations of all its linear solves; a direct solver has none."},
};
/// Columns in the order in which a narrow window gives them room; before all, the method has kNameWidth.
constexpr std::size_t kWorth[] = {2, 4, 5, 1, 3, 6};
constexpr float kNameWidth = 190;  // points

std::string timeText(const NonlinearRow& row, double error) {
    const double time = row.timeTo(error);
    return time < 0 ? "-" : formatNumber(time, 3);
}

}  // namespace

void DescentPanel::table(float height) {
    const widgets::CurveTableSpec spec{
        .name = "descent", .columns = kDescentColumns, .worth = kWorth, .nameWidth = kNameWidth, .height = height};
    widgets::CurveTable table(spec, theme_, layout_, widgets_);
    for (const NonlinearRow& row : race().rows) drawRow(table, row);
}

void DescentPanel::drawRow(widgets::CurveTable& table, const NonlinearRow& row) {
    const experiments::NonlinearContestant& who = race().field[row.contestant];
    const bool whole = row.problem.empty();
    const std::string cells[] = {formatNumber(double(row.error.empty() ? 0 : row.error.size() - 1), 6),
                                 row.error.size() > 1 ? formatNumber(row.msPerIteration(), 3) : "-",
                                 row.error.empty() ? "-" : formatNumber(row.error.back(), 2),
                                 timeText(row, 1e-3),
                                 timeText(row, 1e-6),
                                 row.linearIterations > 0 ? formatNumber(row.linearIterations, 6) : "-"};
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
