#include "columns/key_strip.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "actions/showing.hpp"
#include "widgets/scopes.hpp"

namespace clothlab::app::columns {
namespace {

constexpr float kStripHeight = 52, kStripMargin = 14, kStripGap = 28;  // points
constexpr float kSecondLine = 10;                                      // points
constexpr float kRoomForLargeType = 230;                               // points of a cell
constexpr float kAroundChoice = 70;                                    // points: arrow, colour, margins
constexpr float kMostOfChoice = 0.5f;                                  // of the strip

}  // namespace

float KeyStrip::build(const panels::Region& region, float bottom) {
    std::vector<const Field*> shown;
    for (const std::string& key : actions::listKeyControls(model_))
        if (const Field* field = settings_.find(key)) shown.push_back(field);
    if (shown.empty()) return bottom;
    const bool vector = std::ranges::any_of(
        shown, [](const Field* field) { return std::holds_alternative<Vec3*>(field->ref); });  // it has two lines
    const float height = theme_.px(kStripHeight + (vector ? kSecondLine : 0)), top = bottom - height,
                margin = theme_.px(kStripMargin), gap = theme_.px(kStripGap);
    ImGui::SetNextWindowPos({region.x, top});
    ImGui::SetNextWindowSize({region.width, height});
    widgets::StyleScope style;
    style.measure(ImGuiStyleVar_WindowPadding, {margin, theme_.px(6)});
    ImGui::Begin("##strip", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoBringToFrontOnFocus |
                     ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoScrollWithMouse);
    const auto count = float(shown.size());
    const float room = region.width - 2 * margin - (count - 1) * gap, even = room / count;
    // A list whose longest choice needs more has it from the sliders.
    std::vector<float> widths;
    float taken = 0, sliders = 0;
    for (const Field* field : shown) {
        widths.push_back(std::min(std::max(neededBy(*field, even), even), kMostOfChoice * room));
        (neededBy(*field, even) > even ? taken : sliders) += neededBy(*field, even) > even ? widths.back() : 1;
    }
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (i > 0) ImGui::SameLine(0, gap);
        const bool own = neededBy(*shown[i], even) > even;
        cell(*shown[i], {own || sliders == 0 ? widths[i] : (room - taken) / sliders, height - theme_.px(10)});
    }
    ImGui::End();
    ImGui::GetBackgroundDrawList()->AddLine({region.x, top}, {region.x + region.width, top}, theme_.colors.line);
    return top;
}

/// Pixels that the longest choice of a list takes in a cell of this width; 0 of anything else.
float KeyStrip::neededBy(const Field& field, float width) const {
    const auto* choice = std::get_if<EnumRef>(&field.ref);
    if (!choice) return 0;
    const widgets::FontScope font(width >= theme_.px(kRoomForLargeType) ? theme_.text : theme_.small);
    float longest = 0;
    for (const EnumEntry& entry : choice->table)
        longest = std::max(longest, ImGui::CalcTextSize(std::string(entry.label).c_str()).x);
    return longest + theme_.px(kAroundChoice);
}

/// A choice has its label over it, as a number has.
void KeyStrip::cell(const Field& field, ImVec2 size) {
    const std::string label(field.meta.label);
    widgets::StyleScope style;
    style.measure(ImGuiStyleVar_ItemSpacing, {theme_.px(8), theme_.px(3)});
    ImGui::BeginChild(("strip/" + field.key).c_str(), size, false,
                      ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
    widgets_.large = size.x >= theme_.px(kRoomForLargeType);
    const bool choice = std::holds_alternative<EnumRef>(field.ref);
    {
        const widgets::FontScope font(widgets_.large ? theme_.text : theme_.small);
        if (choice) ImGui::TextColored(theme_.quiet(), "%s", label.c_str());
        settings_.row(field.key, choice);
    }
    widgets_.large = false;
    ImGui::EndChild();
}

}  // namespace clothlab::app::columns
