#include <imgui_internal.h>

#include <algorithm>

#include "widgets/widgets.hpp"

// Choosing one of several: an entry of a name table, a frame of a run.
namespace clothlab::app::widgets {

void closeAllPopups() { ImGui::ClosePopupToLevel(0, false); }

bool Widgets::choice(std::string_view id, std::span<const EnumEntry> table, int& value, float width) {
    bool changed = false;
    const auto shown = std::find_if(table.begin(), table.end(), [&](const EnumEntry& e) { return e.value == value; });
    ImGui::SetNextItemWidth(width);
    if (shown != table.end())
        layout_.wants(id, ImGui::CalcTextSize(std::string(shown->label).c_str()).x,
                      width - ImGui::GetFrameHeight() - ImGui::GetStyle().FramePadding.x);
    constexpr std::size_t kLong = 12;
    if (ImGui::BeginCombo(("##" + std::string(id)).c_str(),
                          shown == table.end() ? "" : std::string(shown->label).c_str(),
                          table.size() > kLong ? ImGuiComboFlags_HeightLarge : ImGuiComboFlags_None)) {
        for (const EnumEntry& entry : table) {
            if (ImGui::Selectable(std::string(entry.label).c_str(), entry.value == value) && entry.value != value) {
                value = entry.value;
                changed = true;
            }
            const std::string own = std::string(id) + "/" + std::string(entry.key);
            layout_.markLast(own);
            tooltip(own, ImGui::IsItemHovered(), [&] { return std::string(entry.help); });
        }
        ImGui::EndCombo();
    } else {
        layout_.markLast(id);
    }
    return changed;
}

void Widgets::flow(const char* text, float gap, float right) {
    const float width = ImGui::CalcTextSize(text).x + 2 * ImGui::GetStyle().FramePadding.x;
    if (ImGui::GetItemRectMax().x + gap + width <= right) ImGui::SameLine(0, gap);
}

bool Widgets::frames(std::string_view id, std::size_t count, std::size_t& frame, std::string_view help) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ImGui::GetFrameHeight(), inset = theme_.px(7);
    ImGui::InvisibleButton(("##" + std::string(id)).c_str(), {width, height});
    layout_.markLast(id);
    const float x0 = at.x + inset, x1 = at.x + width - inset, y = at.y + height / 2;
    const auto most = float(std::max<std::size_t>(count, 2) - 1);
    const bool held = ImGui::IsItemActive() && count > 0, hovered = ImGui::IsItemHovered();
    if (held) {
        const float t = std::clamp((ImGui::GetIO().MousePos.x - x0) / (x1 - x0), 0.0f, 1.0f);
        frame = std::min(std::size_t(std::lround(t * most)), count - 1);
    }
    const float knob = x0 + std::min(1.0f, float(frame) / most) * (x1 - x0), half = theme_.px(2.5f);
    ImDrawList* draw = ImGui::GetWindowDrawList();
    draw->AddRectFilled({x0, y - half}, {x1, y + half}, theme_.colors.groove, half);
    draw->AddRectFilled({x0, y - half}, {knob, y + half}, theme_.colors.track, half);
    draw->AddCircleFilled({knob, y}, theme_.px(held || hovered ? 7.5f : 6.5f), theme_.colors.knob, 24);
    tooltip(id, hovered, [&] { return std::string(help); });
    return held;
}

}  // namespace clothlab::app::widgets
