#pragma once

#include <imgui.h>

#include <cstddef>

#include "base/look.hpp"

namespace clothlab::app::widgets {

/// 0xRRGGBB as ImGui packs colours.
constexpr ImU32 rgb(unsigned hex, unsigned alpha = 255) {
    return ((hex >> 16) & 255u) | (hex & 0xff00u) | ((hex & 255u) << 16) | (alpha << 24);
}

/// The colours of the instrument. Colour is kept for data; red means stress or error and nothing else.
namespace palette {
inline constexpr ImU32 kGroundDark = rgb(0x14171c);
inline constexpr ImU32 kPanel = rgb(0x1b1f26), kField = rgb(0x242a33), kFieldHover = rgb(0x2c333e);
inline constexpr ImU32 kLine = rgb(0x2a303a), kText = rgb(0xd9dee6), kQuiet = rgb(0x8b95a3);
inline constexpr ImU32 kKnob = rgb(0xe3e9f1), kTrack = rgb(0x5b6675), kPin = rgb(0xffd166);
inline constexpr ImU32 kPlotGround = rgb(0x15181d), kError = rgb(0xff6b6b), kWhite = rgb(0xffffff);
inline constexpr ImU32 kToggleOn = rgb(0xb4bfcc);
inline constexpr ImU32 kErrorGround = rgb(0x3a1f24, 240);
}  // namespace palette

/// The colours of data (base/look.hpp) as ImGui packs them.
namespace hue {
inline constexpr ImU32 kSand = rgb(clothlab::hue::kSand), kOrange = rgb(clothlab::hue::kOrange),
                       kSky = rgb(clothlab::hue::kSky), kGreen = rgb(clothlab::hue::kGreen),
                       kBlue = rgb(clothlab::hue::kBlue), kYellow = rgb(clothlab::hue::kYellow),
                       kRust = rgb(clothlab::hue::kRust), kPink = rgb(clothlab::hue::kPink),
                       kLilac = rgb(clothlab::hue::kLilac), kViolet = rgb(clothlab::hue::kViolet),
                       kSlate = rgb(clothlab::hue::kSlate), kWhite = rgb(clothlab::hue::kWhite);
}  // namespace hue

using clothlab::Dash;
using clothlab::Mark;
inline constexpr std::size_t kMarkKinds = 8, kDashKinds = 4;

/// How a curve is told from others: two that share a colour differ by dash or mark.
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
/// The n-th of things that have no look of their own; after twelve colours the dash changes.
Style seriesStyle(std::size_t n);

/// Fonts and sizes; owned by the window, made for one content scale.
struct UiTheme {
    float scale = 1;
    ImFont* text = nullptr;    ///< 15 points
    ImFont* strong = nullptr;  ///< the same, semibold: headings
    ImFont* small = nullptr;   ///< 12.5 points: axes, notes

    float px(float points) const { return points * scale; }
};

/// Sets ImGui's style and adds the fonts (Inter where it is installed, else ImGui's own) to the context's atlas. Before
/// the first frame, or when the atlas is rebuilt.
UiTheme applyTheme(float contentScale);

}  // namespace clothlab::app::widgets
