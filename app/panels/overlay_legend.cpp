#include "panels/overlay_legend.hpp"

#include <algorithm>

#include "widgets/numbers.hpp"
#include "widgets/scopes.hpp"
#include "widgets/widgets.hpp"

namespace clothlab::app::panels {
namespace {

ImU32 inkOfRgb(const render::Rgb& c) { return widgets::packed(c.r, c.g, c.b); }

void scaleRow(const render::LegendEntry& entry, const widgets::UiTheme& theme, widgets::LayoutMap& layout) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const float width = theme.px(170), n = float(std::max<std::size_t>(entry.ramp.size() - 1, 1));
    ImGui::TextUnformatted((entry.label + (entry.unit.empty() ? "" : ", " + entry.unit)).c_str());
    const ImVec2 ramp = ImGui::GetCursorScreenPos();
    for (std::size_t i = 0; i + 1 < entry.ramp.size(); ++i) {
        const ImU32 a = inkOfRgb(entry.ramp[i]), b = inkOfRgb(entry.ramp[i + 1]);
        draw->AddRectFilledMultiColor({ramp.x + width * float(i) / n, ramp.y},
                                      {ramp.x + width * float(i + 1) / n, ramp.y + theme.px(9)}, a, b, b, a);
    }
    ImGui::Dummy({width, theme.px(9)});
    const std::string to = formatNumber(entry.to, 3) + (entry.orMore ? " or more" : ""),
                      from = formatNumber(entry.from, 3) + (entry.orLess ? " or less" : "");
    const ImVec2 below = ImGui::GetCursorScreenPos();
    widgets::textRight(to.c_str(), theme.colors.quiet, theme.small, below.x + width, below.y);
    ImGui::TextColored(theme.quiet(), "%s", from.c_str());
    layout.words("legend/from", from);
    layout.words("legend/to", to);
}

void swatchRow(const render::LegendEntry& entry, const widgets::UiTheme& theme) {
    ImDrawList* draw = ImGui::GetWindowDrawList();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float line = ImGui::GetTextLineHeight();
    const std::span<const render::Rgb> swatches =
        entry.swatches.empty() ? std::span(&entry.color, 1) : std::span<const render::Rgb>(entry.swatches);
    float x = at.x;
    for (const render::Rgb& swatch : swatches) {
        const ImVec2 min{x, at.y + line * 0.15f}, max{x + theme.px(12), at.y + line * 0.85f};
        draw->AddRectFilled(min, max, inkOfRgb(swatch), theme.px(2));
        if (theme.colors.swatchRim != 0) draw->AddRect(min, max, theme.colors.swatchRim, theme.px(2));
        x += theme.px(14);
    }
    ImGui::SetCursorScreenPos({x + theme.px(5), at.y});
    ImGui::TextUnformatted(entry.label.c_str());
}

}  // namespace

void overlayLegendRows(std::span<const render::LegendEntry> legend, const widgets::UiTheme& theme,
                       widgets::LayoutMap& layout) {
    const widgets::FontScope font(theme.small);
    for (const render::LegendEntry& entry : legend)
        entry.ramp.empty() ? swatchRow(entry, theme) : scaleRow(entry, theme, layout);
}

}  // namespace clothlab::app::panels
