#include "columns/splitters.hpp"

#include <algorithm>

#include "widgets/scopes.hpp"

namespace clothlab::app::columns {
namespace {

constexpr float kIntoColumn = 2, kIntoCentre = 5;  // points: a scrollbar at the edge stays free

}  // namespace

void Splitters::build(const Regions& regions) {
    if (!model_.looks.interactive) return;
    if (regions.left.width > 0) edge(Side::Left, regions.left, model_.looks.widths.left);
    if (regions.right.width > 0) edge(Side::Right, regions.right, model_.looks.widths.right);
}

void Splitters::edge(Side side, const panels::Region& column, double& points) {
    const bool left = side == Side::Left;
    const float x = left ? column.x + column.width : column.x;
    const float before = theme_.px(left ? kIntoColumn : kIntoCentre), width = theme_.px(kIntoColumn + kIntoCentre);
    const char* id = left ? "split/left" : "split/right";
    ImGui::SetNextWindowPos({x - before, column.y});
    ImGui::SetNextWindowSize({width, column.height});
    widgets::StyleScope style;
    style.measure(ImGuiStyleVar_WindowPadding, {0, 0}).measure(ImGuiStyleVar_WindowMinSize, {1, 1});
    ImGui::Begin(id, nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::InvisibleButton(id, {width, column.height});
    layout_.markLast(id);
    const bool hovered = ImGui::IsItemHovered(), active = ImGui::IsItemActive();
    const ImGuiIO& io = ImGui::GetIO();
    if (!active) restored_ = restored_ && io.MouseDown[0];
    if (ImGui::IsItemActivated()) grip_ = io.MousePos.x - x;
    if (hovered && ImGui::IsMouseDoubleClicked(0)) {
        points = 0;
        restored_ = true;
    } else if (active && !restored_ && io.MouseDelta.x != 0) {
        const float edge = io.MousePos.x - grip_;
        points = std::max((left ? edge - column.x : column.x + column.width - edge) / theme_.scale, 1.0f);
    }
    if (hovered || active) {
        ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
        ImGui::GetWindowDrawList()->AddLine({x, column.y}, {x, column.y + column.height}, theme_.colors.track,
                                            theme_.px(2));
    }
    ImGui::End();
    widgets_.tooltip(id, hovered && !active,
                     [] { return std::string("Drag: width of the column. Double click: its default width."); });
}

}  // namespace clothlab::app::columns
