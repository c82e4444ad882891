#pragma once

#include <imgui.h>

#include <cstddef>

#include "widgets/palette.hpp"

namespace clothlab::app::widgets {

using clothlab::Dash;
using clothlab::Mark;
inline constexpr std::size_t kMarkKinds = 8, kDashKinds = 4;

/// The style of a curve: two that share a colour differ by dash or mark.
struct Style {
    ImU32 color = 0;
    Dash dash = Dash::Solid;
    Mark mark = Mark::None;

    constexpr Style(ImU32 c, Dash d = Dash::Solid, Mark m = Mark::None) : color(c), dash(d), mark(m) {}
    constexpr Style(const Look& look) : Style(rgb(look.color), look.dash, look.mark) {}
    bool operator==(const Style&) const = default;
};

/// The n-th variant of a method has its colour and dash, and a mark of its own; the first has none.
Mark variantMark(std::size_t n);
/// The n-th style for curves without one of their own; after twelve colours the dash changes.
Style seriesStyle(std::size_t n);

/// Fonts, sizes and colours; owned by the window, made for one content scale.
struct UiTheme {
    float scale = 1;
    ImFont* text = nullptr;    ///< 15 points
    ImFont* strong = nullptr;  ///< the same, semibold: headings
    ImFont* small = nullptr;   ///< 12.5 points: axes, notes
    ThemeKind kind = ThemeKind::Dark;
    Palette colors = kDark;

    float px(float points) const { return points * scale; }
    /// A colour of data in this theme.
    ImU32 ink(ImU32 data) const { return themeInk(kind, data); }
    ImVec4 quiet() const { return ImGui::ColorConvertU32ToFloat4(colors.quiet); }
};

/// Sets ImGui's style and adds the fonts (Inter where it is installed, else ImGui's own) to the context's atlas. Before
/// the first frame, or when the atlas is rebuilt.
UiTheme applyTheme(float contentScale);
/// Changes only the colours, of the theme and of ImGui's style; between two frames, or before the widgets concerned.
void applyColors(ThemeKind kind, UiTheme& theme);

}  // namespace clothlab::app::widgets
