#include "widgets/plots/curve_table.hpp"

#include <algorithm>

#include "widgets/plots/plot_strokes.hpp"

namespace clothlab::app::widgets {

namespace {

constexpr float kSwatchWidth = 23, kCellPadding = 1.5f, kLargePadding = 4, kSortArrow = 13;  // points

/// Moves the cursor so that the text ends where the cell does.
void alignRight(const char* text) {
    const float space = ImGui::GetContentRegionAvail().x - ImGui::CalcTextSize(text).x;
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + std::max(0.0f, space));
}

}  // namespace

CurveTable::CurveTable(const CurveTableSpec& spec, const UiTheme& theme, LayoutMap& layout, Widgets& widgets)
    : spec_(spec), theme_(theme), layout_(layout), widgets_(widgets), font_(spec.large ? theme.text : theme.small) {
    style_.color(ImGuiCol_TableHeaderBg, theme.colors.panel).color(ImGuiCol_TableBorderLight, theme.colors.line);
    style_.color(ImGuiCol_TableRowBgAlt, theme.colors.rowAlternate);
    style_.measure(ImGuiStyleVar_CellPadding, {theme.px(4), theme.px(spec.large ? kLargePadding : kCellPadding)});
    const ImGuiTableFlags flags = ImGuiTableFlags_ScrollY | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingFixedFit |
                                  ImGuiTableFlags_NoSavedSettings |
                                  (spec.sortedBy >= 0 ? int(ImGuiTableFlags_Sortable) : 0);
    const unsigned shown = columnsShown();
    open_ = ImGui::BeginTable("##rows", int(spec.columns.size()), flags, {0, spec.height});
    if (!open_) return;
    setUpColumns(shown);
    header();
}

CurveTable::~CurveTable() {
    if (open_) ImGui::EndTable();
}

float CurveTable::rowHeight(const UiTheme& theme, bool large) {
    return (large ? theme.text : theme.small)->FontSize + theme.px(2 * (large ? kLargePadding : kCellPadding));
}

float CurveTable::computeHeight(std::size_t rows, const UiTheme& theme, bool large) {
    return rowHeight(theme, large) * float(rows + 1) + theme.px(2);
}

/// A bit a column: what fits beside the name, the most telling first.
unsigned CurveTable::columnsShown() const {
    unsigned shown = 1;
    float left = ImGui::GetContentRegionAvail().x - px(spec_.nameWidth);
    for (const std::size_t column : spec_.worth) {
        left -= px(spec_.columns[column].width) + 2 * ImGui::GetStyle().CellPadding.x;
        if (left >= 0) shown |= 1u << column;
    }
    return shown;
}

void CurveTable::setUpColumns(unsigned shown) const {
    ImGui::TableSetupScrollFreeze(0, 1);
    for (std::size_t i = 0; i < spec_.columns.size(); ++i) {
        const CurveColumn& column = spec_.columns[i];
        ImGuiTableColumnFlags flags =
            column.width > 0 ? ImGuiTableColumnFlags_WidthFixed : ImGuiTableColumnFlags_WidthStretch;
        if (int(i) == spec_.sortedBy) flags |= ImGuiTableColumnFlags_DefaultSort;
        if ((shown >> i & 1) == 0) flags |= ImGuiTableColumnFlags_Disabled;
        ImGui::TableSetupColumn(column.name, flags, px(column.width));
    }
}

/// Drawn here, because the numbers stand at the right and ImGui's headers at the left.
void CurveTable::header() const {
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers);
    const std::optional<Sorting> sorted = sorting();
    for (int i = 0; i < int(spec_.columns.size()); ++i) {
        if (!ImGui::TableSetColumnIndex(i)) continue;
        const CurveColumn& column = spec_.columns[i];
        ImVec2 at = ImGui::GetCursorScreenPos();
        const ImVec2 room = ImGui::GetContentRegionAvail();
        if (i > 0 && !column.words) {
            const float arrow = sorted && sorted->column == i ? px(kSortArrow) : 0;
            at.x += std::max(0.0f, room.x - ImGui::CalcTextSize(column.name).x - arrow);
        }
        if (sorted)
            ImGui::TableHeader((std::string("##") + column.name).c_str());
        else
            ImGui::Dummy({room.x, ImGui::GetTextLineHeight()});
        ImGui::GetWindowDrawList()->AddText(at, theme_.colors.quiet, column.name);
        const std::string id = std::string(spec_.name) + "/column/" + column.id;
        layout_.markLast(id);
        widgets_.tooltip(id, ImGui::IsItemHovered(), [&] { return std::string(column.help); });
    }
}

std::optional<CurveTable::Sorting> CurveTable::sorting() const {
    if (!open_ || spec_.sortedBy < 0) return std::nullopt;
    const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs();
    if (specs == nullptr || specs->SpecsCount == 0) return Sorting{spec_.sortedBy, true};
    return Sorting{specs->Specs[0].ColumnIndex, specs->Specs[0].SortDirection != ImGuiSortDirection_Descending};
}

CurveTable::Pointed CurveTable::row(const CurveRow& row, bool pointed) {
    if (!open_) return {};
    ImGui::TableNextRow();
    ImGui::TableSetColumnIndex(0);
    const float line = ImGui::GetTextLineHeight();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x - theme_.px(kSwatchWidth);
    Pointed now;
    ImGui::PushID(int(row.index));
    now.chosen = ImGui::Selectable("##row", pointed, ImGuiSelectableFlags_SpanAllColumns, {0, line});
    ImGui::PopID();
    now.hovered = ImGui::IsItemHovered();
    now.menu = now.hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    const std::string id = std::string(spec_.name) + "/row/" + row.key;
    layout_.markLast(id);
    const ImU32 ink = row.faint ? theme_.colors.quiet : theme_.colors.text;
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 swatch{theme_.px(kSwatchWidth - 5), theme_.px(7)}, from{at.x, at.y + line * 0.5f - swatch.y / 2};
    if (row.hidden)
        draw->AddRect(from, {from.x + swatch.x, from.y + swatch.y}, theme_.colors.quiet, theme_.px(2));
    else
        drawSwatch(*draw, from, swatch, row.style, theme_);
    layout_.mark(id + "/swatch", {at.x, at.y}, {at.x + swatch.x, at.y + line});
    if (now.chosen && ImGui::GetIO().MouseClickedPos[0].x < at.x + theme_.px(kSwatchWidth)) {
        now.chosen = false;
        now.turned = true;
    }
    const std::string name = (row.active ? "• " : "") + row.label;
    draw->AddText({at.x + theme_.px(kSwatchWidth), at.y}, ink, fitted(name, width).c_str());
    layout_.words(id, name);
    for (int i = 0; i < int(row.cells.size()); ++i) {
        if (!ImGui::TableSetColumnIndex(i + 1)) continue;
        const std::string cell = fitted(row.cells[i], ImGui::GetContentRegionAvail().x);
        if (!spec_.columns[i + 1].words) alignRight(cell.c_str());
        ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(ink), "%s", cell.c_str());
        layout_.words(id + "/" + spec_.columns[i + 1].id, cell);
    }
    return now;
}

void plotPair(ImVec2 size, const UiTheme& theme, const std::function<void(bool, ImVec2)>& draw) {
    const bool both = size.x > theme.px(kPlotPairWidth - 60);  // of a panel of that width, inside its margins
    const float gap = theme.px(16), half = both ? (size.x - gap) / 2 : size.x;
    draw(false, {half, size.y});
    if (!both) return;
    ImGui::SameLine(0, gap);
    draw(true, {half, size.y});
}

}  // namespace clothlab::app::widgets
