#pragma once

#include <imgui.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "base/enum_table.hpp"
#include "base/errors.hpp"
#include "base/look.hpp"

/// The colours of the program, in two themes. Colour is reserved for data; red means only stress or error.
/// No other file spells a colour (docs/architecture.md).
namespace clothlab::app::widgets {

/// 0xRRGGBB as ImGui packs colours.
constexpr ImU32 rgb(unsigned hex, unsigned alpha = 255) {
    return ((hex >> 16) & 255u) | (hex & 0xff00u) | ((hex & 255u) << 16) | (alpha << 24);
}
/// A colour from channels 0..255.
constexpr ImU32 packed(unsigned red, unsigned green, unsigned blue) {
    return red | (green << 8) | (blue << 16) | (255u << 24);
}
constexpr ImU32 withAlpha(ImU32 color, unsigned alpha) { return (color & ~IM_COL32_A_MASK) | (alpha << 24); }
/// From `a` (t = 0) to `b` (t = 1), channel by channel; opaque.
ImU32 mixed(ImU32 a, ImU32 b, double t);

enum class ThemeKind : int { Dark, Light };
inline constexpr std::array kThemeKinds{
    EnumEntry{int(ThemeKind::Dark), "dark", "Dark", "Light words on a dark ground."},
    EnumEntry{int(ThemeKind::Light), "light", "Light",
              "Dark words on a light ground: for projectors and bright rooms."}};
constexpr std::span<const EnumEntry> enumTable(ThemeKind) { return kThemeKinds; }

/// Dark for an empty key; an Error lists the valid keys.
Expected<ThemeKind> themeNamed(const std::string& key);

/// A colour of the cloth, in both themes.
struct ClothColor {
    const char* key;
    const char* name;
    ImU32 color;
};
/// The first is the picture's own.
inline constexpr ClothColor kClothColors[] = {{"blue", "Blue", rgb(0x6aa9dc)},     {"red", "Red", rgb(0xd9534f)},
                                              {"yellow", "Yellow", rgb(0xf0c24b)}, {"green", "Green", rgb(0x5fb56a)},
                                              {"pink", "Pink", rgb(0xe58ab8)},     {"violet", "Violet", rgb(0x8a74d6)},
                                              {"white", "White", rgb(0xe9ebee)},   {"black", "Black", rgb(0x3a4049)}};

/// Tint of a picture that is shown unchanged.
inline constexpr ImU32 kUntinted = rgb(0xffffff);

/// The colours of a theme.
/// Wide on purpose: a theme is a table of colours, one for each role.
struct Palette {
    ImU32 ground;                    ///< behind everything
    ImU32 panel, field, fieldHover;  ///< columns and panels; lists, buttons, boxes
    ImU32 line;                      ///< borders and grids
    ImU32 text, quiet;
    ImU32 knob, track, groove, rowGroove;  ///< of sliders: handle, filled, empty; empty in a row of the left column
    ImU32 pin;                             ///< pins, and words that warn
    ImU32 focus;                           ///< around the row that the keys act on
    ImU32 plotGround;
    ImU32 error, errorGround;
    ImU32 toggleOn, toggleText;  ///< a button that is pressed
    ImU32 pressed, header, headerHover, scroll, selection, popup;
    ImU32 floating, legend, headLine, keys;  ///< grounds of what floats over the cloth
    ImU32 rowAlternate;                      ///< every second row of a table
    ImU32 basinTop, basinDepth;              ///< of the two unknowns: far from the minimum, at it
    ImU32 contour, contourBelow;             ///< lines of equal f above and below the stationary point
    ImU32 swatchRim;                         ///< around a swatch of any colour; 0 = none
};

inline constexpr Palette kDark{.ground = rgb(0x14171c),
                               .panel = rgb(0x1b1f26),
                               .field = rgb(0x242a33),
                               .fieldHover = rgb(0x2c333e),
                               .line = rgb(0x2a303a),
                               .text = rgb(0xd9dee6),
                               .quiet = rgb(0x8b95a3),
                               .knob = rgb(0xe3e9f1),
                               .track = rgb(0x5b6675),
                               .groove = rgb(0x2f3742),
                               .rowGroove = rgb(0x262d37),
                               .pin = rgb(0xffd166),
                               .focus = rgb(0x6db3ff),
                               .plotGround = rgb(0x15181d),
                               .error = rgb(0xff6b6b),
                               .errorGround = rgb(0x3a1f24, 240),
                               .toggleOn = rgb(0xb4bfcc),
                               .toggleText = rgb(0x14171c),
                               .pressed = rgb(0x3a4350),
                               .header = rgb(0x2c3540),
                               .headerHover = rgb(0x333d4a),
                               .scroll = rgb(0x353d49),
                               .selection = rgb(0x44607f),
                               .popup = rgb(0x20252d, 250),
                               .floating = rgb(0x1b1f26, 242),
                               .legend = rgb(0x1b1f26, 215),
                               .headLine = rgb(0x14171c, 190),
                               .keys = rgb(0x20252d, 248),
                               .rowAlternate = rgb(0x20252d),
                               .basinTop = rgb(0x15181d),
                               .basinDepth = rgb(0x27455e),
                               .contour = rgb(0x4a6478, 170),
                               .contourBelow = rgb(0x6f5a48, 170),
                               .swatchRim = 0};

inline constexpr Palette kLight{.ground = rgb(0xe3e8ee),
                                .panel = rgb(0xf3f5f8),
                                .field = rgb(0xe1e6ec),
                                .fieldHover = rgb(0xd3dae3),
                                .line = rgb(0xcdd4dd),
                                .text = rgb(0x1b222b),
                                .quiet = rgb(0x3c4652),
                                .knob = rgb(0x26303c),
                                .track = rgb(0x6f7d90),
                                .groove = rgb(0xcdd5df),
                                .rowGroove = rgb(0xd6dde5),
                                .pin = rgb(0x664100),
                                .focus = rgb(0x0b5cad),
                                .plotGround = rgb(0xffffff),
                                .error = rgb(0x93101e),
                                .errorGround = rgb(0xfbe3e4, 246),
                                .toggleOn = rgb(0x46525f),
                                .toggleText = rgb(0xffffff),
                                .pressed = rgb(0xbfc9d5),
                                .header = rgb(0xd6e0ec),
                                .headerHover = rgb(0xc8d5e5),
                                .scroll = rgb(0xb7c1cd),
                                .selection = rgb(0xa9c6e8),
                                .popup = rgb(0xffffff, 252),
                                .floating = rgb(0xf3f5f8, 246),
                                .legend = rgb(0xf3f5f8, 225),
                                .headLine = rgb(0xf3f5f8, 205),
                                .keys = rgb(0xffffff, 250),
                                .rowAlternate = rgb(0xe9edf2),
                                .basinTop = rgb(0xffffff),
                                .basinDepth = rgb(0xb4d2ea),
                                .contour = rgb(0x7f9bb2, 190),
                                .contourBelow = rgb(0xb39270, 190),
                                .swatchRim = rgb(0x7b8794)};

constexpr const Palette& themePalette(ThemeKind kind) { return kind == ThemeKind::Light ? kLight : kDark; }

/// The colours of data, as the dark theme shows them; `themeInk` has those of the light one. The first twelve are those
/// of methods (base/look.hpp).
namespace hue {
inline constexpr ImU32 kSand = rgb(clothlab::hue::kSand), kOrange = rgb(clothlab::hue::kOrange),
                       kSky = rgb(clothlab::hue::kSky), kGreen = rgb(clothlab::hue::kGreen),
                       kBlue = rgb(clothlab::hue::kBlue), kYellow = rgb(clothlab::hue::kYellow),
                       kRust = rgb(clothlab::hue::kRust), kPink = rgb(clothlab::hue::kPink),
                       kLilac = rgb(clothlab::hue::kLilac), kViolet = rgb(clothlab::hue::kViolet),
                       kSlate = rgb(clothlab::hue::kSlate), kWhite = rgb(clothlab::hue::kWhite);
inline constexpr ImU32 kInk = kDark.text;       ///< a curve of no method
inline constexpr ImU32 kStress = kDark.error;   ///< strain
inline constexpr ImU32 kStale = rgb(0x6f7986);  ///< data of another step than the one shown
inline constexpr ImU32 kGhost = rgb(0xe6d3b0);
inline constexpr ImU32 kKinetic = rgb(0x54a0cd), kElastic = rgb(0xe39d00), kGravity = rgb(0x9ee8a4);
inline constexpr ImU32 kContactTime = rgb(0xa691ef), kAssembleTime = rgb(0xb8a34c), kSetUpTime = rgb(0x19a182),
                       kSolveTime = rgb(0x69799e), kOtherTime = rgb(0x545861);
inline constexpr ImU32 kSlackBlock = rgb(0x4d5867), kBendBlock = rgb(0x7bd389), kFillBlock = rgb(0xe69f00),
                       kShearBlock = rgb(0x56b4e9), kStretchBlock = rgb(0xd884c4), kDiagonalBlock = rgb(0xe3e9f1),
                       kContactBlock = rgb(0xf0556d);
}  // namespace hue

/// A colour of data in a theme: unchanged in the dark one, darker in the light one. Alpha stays. Colours without a
/// table entry, such as those of plug-in methods, are darkened until they contrast with a white ground.
ImU32 themeInk(ThemeKind kind, ImU32 data);
/// The colours of data that have an ink in the table.
std::vector<ImU32> inkedColors();

}  // namespace clothlab::app::widgets
