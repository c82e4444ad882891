#pragma once

#include <cstdint>

/// Plot styles that tell the curves of methods apart, as plain numbers: the renderer converts them.
namespace clothlab {

/// 0xRRGGBB. Found by search near the hues of Okabe and Ito: all pairs are at least 10.5 apart (CIEDE2000) for normal,
/// protan, deutan and tritan eyes, and from white.
namespace hue {
inline constexpr std::uint32_t kSand = 0xb9afa1, kOrange = 0xe99e0b, kSky = 0x0dc1ff, kGreen = 0x1ea875,
                               kBlue = 0x5a8fff, kYellow = 0xf2e621, kRust = 0xd76c2e, kPink = 0xda9cc1,
                               kLilac = 0x9b85bc, kViolet = 0x6e5cea, kSlate = 0x7d8691, kWhite = 0xffffff;
inline constexpr std::uint32_t kAll[] = {kSand, kOrange, kSky,   kGreen,  kBlue,  kYellow,
                                         kRust, kPink,   kLilac, kViolet, kSlate, kWhite};
}  // namespace hue

enum class Dash : int { Solid, Dashed, Dotted, DashDot };
enum class Mark : int { None, Circle, Square, Up, Diamond, Ring, Down, Plus };

struct Look {
    std::uint32_t color = hue::kWhite;
    Dash dash = Dash::Solid;
    Mark mark = Mark::None;
    bool operator==(const Look&) const = default;
};

}  // namespace clothlab
