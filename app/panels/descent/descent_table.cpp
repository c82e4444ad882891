#include <fmt/format.h>

#include <algorithm>

#include "panels/descent/descent_panel.hpp"
#include "widgets/numbers.hpp"
#include "widgets/plot_strokes.hpp"
#include "widgets/scopes.hpp"

// The table of a descent, in the order of its field.
namespace clothlab::app::panels {

using widgets::formatNumber;

namespace {

using experiments::NonlinearRow;

struct DescentColumn {
    const char* id;
    const char* name;
    float width;  ///< points; 0 = what is left
    const char* help;
};
constexpr DescentColumn kDescentColumns[] = {
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
constexpr float kNameWidth = 190, kSwatchWidth = 23, kCellPadding = 1.5f;  // points

std::string timeText(const NonlinearRow& row, double error) {
    const double time = row.timeTo(error);
    return time < 0 ? "-" : formatNumber(time, 3);
}

}  // namespace

unsigned DescentPanel::columnsShown(float width) const {
    unsigned shown = 1;
    float left = width - theme_.px(kNameWidth);
    for (const std::size_t column : kWorth) {
        left -= theme_.px(kDescentColumns[column].width) + 2 * ImGui::GetStyle().CellPadding.x;
        if (left >= 0) shown |= 1u << column;
    }
    return shown;
}

float DescentPanel::tableNeeds() const {
    const float line = theme_.small->FontSize + theme_.px(2 * kCellPadding);
    return line * float(race().field.size() + 1) + theme_.px(2);
}

void DescentPanel::table(float height) {
    const widgets::FontScope font(theme_.small);
    widgets::StyleScope style;
    style.color(ImGuiCol_TableHeaderBg, theme_.colors.panel).color(ImGuiCol_TableBorderLight, theme_.colors.line);
    style.color(ImGuiCol_TableRowBgAlt, theme_.colors.rowAlternate);
    style.measure(ImGuiStyleVar_CellPadding, {theme_.px(4), theme_.px(kCellPadding)});
    const unsigned shown = columnsShown(ImGui::GetContentRegionAvail().x);
    const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit |
                                  ImGuiTableFlags_NoSavedSettings;
    if (!ImGui::BeginTable("##rows", int(std::size(kDescentColumns)), flags, {0, height})) return;
    ImGui::TableSetupScrollFreeze(0, 1);
    for (std::size_t i = 0; i < std::size(kDescentColumns); ++i)
        ImGui::TableSetupColumn(
            kDescentColumns[i].name,
            (kDescentColumns[i].width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch) |
                ((shown >> i & 1) != 0 ? 0 : ImGuiTableColumnFlags_Disabled),
            theme_.px(kDescentColumns[i].width));
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    for (int i = 0; i < int(std::size(kDescentColumns)); ++i) {
        if (!ImGui::TableSetColumnIndex(i)) continue;
        const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(kDescentColumns[i].name).x;
        if (i > 0) ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, space));
        ImGui::TextColored(theme_.quiet(), "%s", kDescentColumns[i].name);
        const std::string id = std::string("descent/column/") + kDescentColumns[i].id;
        layout_.markLast(id);
        widgets_.tooltip(id, ImGui::IsItemHovered(), [&] { return std::string(kDescentColumns[i].help); });
    }
    for (const NonlinearRow& row : race().rows) drawRow(row);
    ImGui::EndTable();
}

void DescentPanel::drawRow(const NonlinearRow& row) {
    const experiments::NonlinearContestant& who = race().field[row.contestant];
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - theme_.px(kSwatchWidth);
    ImGui::PushID(int(row.contestant));
    if (ImGui::Selectable("##row", pointed_ == int(row.contestant), ImGuiSelectableFlags_SpanAllColumns, {0, line}))
        choose(who);
    ImGui::PopID();
    layout_.markLast("descent/row/" + who.key);
    if (pointedNow_ < 0 && ImGui::IsItemHovered()) {  // neighbours overlap by a pixel
        pointedNow_ = int(row.contestant);
        rowTooltip(row);
    }
    const bool whole = row.problem.empty();
    const ImU32 ink = whole ? theme_.colors.text : theme_.colors.quiet;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    widgets::drawSwatch(*draw, {at.x, at.y + line * 0.5f - theme_.px(3.5f)},
                        {theme_.px(kSwatchWidth - 5), theme_.px(7)}, styles_[row.contestant], theme_);
    const std::string name = (isActive(who) ? "• " : "") + who.label + (whole ? "" : " · " + row.problem);
    draw->AddText({at.x + theme_.px(kSwatchWidth), at.y}, ink, widgets::fitted(name, width).c_str());
    layout_.words("descent/row/" + who.key, name);
    const std::string cells[] = {formatNumber(double(row.error.empty() ? 0 : row.error.size() - 1), 6),
                                 row.error.size() > 1 ? formatNumber(row.msPerIteration(), 3) : "-",
                                 row.error.empty() ? "-" : formatNumber(row.error.back(), 2),
                                 timeText(row, 1e-3),
                                 timeText(row, 1e-6),
                                 row.linearIterations > 0 ? formatNumber(row.linearIterations, 6) : "-"};
    for (int i = 0; i < int(std::size(cells)); ++i) {
        if (!ImGui::TableSetColumnIndex(i + 1)) continue;
        const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(cells[i].c_str()).x;
        ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, space));
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ink), "%s", cells[i].c_str());
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
    if (!row.problem.empty()) text += (text.empty() ? "" : "\n") + row.problem;
    ImGui::TextColored(theme_.quiet(), "%s", text.c_str());
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

}  // namespace clothlab::app::panels
