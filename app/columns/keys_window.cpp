#include <algorithm>
#include <numeric>

#include "actions/actions.hpp"
#include "columns/centre.hpp"
#include "widgets/scopes.hpp"

// The list of gestures and keys: in one column, or in two where the window is too low for that; it scrolls at need.
namespace clothlab::app::columns {
namespace {

using actions::KeyLine;

constexpr float kKeys = 168, kBetween = 28, kLineGap = 4;  // points

float widest(const std::vector<KeyLine>& lines) {
    float width = 0;
    for (const KeyLine& line : lines) width = std::max(width, ImGui::CalcTextSize(line.does.c_str()).x);
    return width;
}

}  // namespace

void Centre::keysWindow(const panels::Region& region) {
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const widgets::FontScope small(theme_.small);
    const std::vector<KeyLine> lines = actions::keyLines();
    const float edge = theme_.px(22), gap = theme_.px(kLineGap), line = ImGui::GetTextLineHeight() + gap,
                keys = theme_.px(kKeys), between = theme_.px(kBetween), room = window.x - 2 * edge - theme_.px(12);
    const float natural = keys + widest(lines) + theme_.px(2),
                heading = ImGui::GetTextLineHeight() * 1.4f + theme_.px(46);
    const bool two = float(lines.size()) * line + heading > window.y && room > theme_.px(560);
    const float width = std::min(natural, two ? (room - between) / 2 : room);
    const auto computeHeight = [&](const KeyLine& entry) {
        return ImGui::CalcTextSize(entry.does.c_str(), nullptr, false, width - keys).y + gap;
    };
    const float total = std::accumulate(lines.begin(), lines.end(), 0.0f,
                                        [&](float sum, const KeyLine& entry) { return sum + computeHeight(entry); });

    const float half = window.x / 2, reach = (two ? width + between / 2 : width / 2) + edge + theme_.px(6);
    ImGui::SetNextWindowPos(
        {std::clamp(region.x + region.width / 2, std::min(reach, half), std::max(window.x - reach, half)),
         window.y / 2},
        0, {0.5f, 0.5f});
    ImGui::SetNextWindowSizeConstraints({0, 0}, window);
    widgets::StyleScope style;
    style.color(ImGuiCol_WindowBg, theme_.colors.keys).measure(ImGuiStyleVar_WindowRounding, theme_.px(8));
    style.measure(ImGuiStyleVar_WindowBorderSize, 1.0f);
    style.measure(ImGuiStyleVar_WindowPadding, {edge, theme_.px(16)});
    ImGui::Begin("##keys", nullptr, widgets::kFloatingWindow & ~ImGuiWindowFlags_NoScrollbar);
    ImGui::PushFont(theme_.strong);
    ImGui::TextUnformatted("Mouse and keys");
    ImGui::PopFont();
    if (model_.looks.interactive) {
        ImGui::SameLine(0, theme_.px(24));
        actionButton("looks/usual", "looks.usual",
                     "Size, columns, type and theme of the window as if nothing "
                     "was remembered of them; recent files are forgotten.");
    }
    const ImVec2 start = ImGui::GetCursorPos();
    ImVec2 at = start;
    float lowest = at.y;
    for (const KeyLine& entry : lines) {
        if (two && at.x == start.x && at.y - start.y >= total / 2) at = {start.x + width + between, start.y};
        ImGui::SetCursorPos(at);
        ImGui::TextUnformatted(entry.keys.c_str());
        ImGui::SetCursorPos({at.x + keys, at.y});
        ImGui::PushTextWrapPos(at.x + width);
        ImGui::TextColored(theme_.quiet(), "%s", entry.does.c_str());
        ImGui::PopTextWrapPos();
        at.y += computeHeight(entry);
        lowest = std::max(lowest, at.y);
    }
    ImGui::SetCursorPos({start.x, lowest});
    ImGui::Dummy({two ? 2 * width + between : width, 0});
    remembered(two ? 2 * width + between : width);
    const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    ImGui::End();
    layout_.mark("keys", min, {min.x + size.x, min.y + size.y});
}

/// What the window remembers, and where.
void Centre::remembered(float width) {
    if (!model_.looks.interactive || model_.files.looks.empty()) return;
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    ImGui::TextColored(theme_.quiet(), "%s", model_.files.looks.c_str());
    ImGui::PopTextWrapPos();
}

}  // namespace clothlab::app::columns
