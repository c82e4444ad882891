#include "widgets/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace clothlab::app::widgets {
namespace {

struct Ink {
    ImU32 dark, light;
};
/// Found by search near the darkened hues of the dark theme: within methods, energies, stages and blocks all pairs are
/// 10.3 apart (CIEDE2000) for normal, protan, deutan and tritan eyes, 30 from a white ground, and have a contrast of 3
/// with it.
constexpr Ink kInks[] = {
    {hue::kSand, rgb(0x887c72)},
    {hue::kOrange, rgb(0xa46a00)},
    {hue::kSky, rgb(0x3787c9)},
    {hue::kGreen, rgb(0x007748)},
    {hue::kBlue, rgb(0x195dd5)},
    {hue::kYellow, rgb(0xbd8b00)},
    {hue::kRust, rgb(0x984112)},
    {hue::kPink, rgb(0xde4498)},
    {hue::kLilac, rgb(0x6b4879)},
    {hue::kViolet, rgb(0x4b00c2)},
    {hue::kSlate, rgb(0x606169)},
    {hue::kWhite, rgb(0x000000)},
    {hue::kInk, kLight.text},
    {hue::kStress, kLight.error},
    {hue::kStale, rgb(0x848e9b)},
    {hue::kGhost, rgb(0x8a6d35)},
    {hue::kKinetic, rgb(0x0e70a4)},
    {hue::kElastic, rgb(0xac6f0c)},
    {hue::kGravity, rgb(0x4a9853)},
    {hue::kContactTime, rgb(0x8c70dd)},
    {hue::kAssembleTime, rgb(0xa9931b)},
    {hue::kSetUpTime, rgb(0x17896e)},
    {hue::kSolveTime, rgb(0x54618b)},
    {hue::kOtherTime, rgb(0x848b9b)},
    {hue::kSlackBlock, rgb(0x7d8ea2)},
    {hue::kBendBlock, rgb(0x4ea562)},
    {hue::kFillBlock, rgb(0xc88608)},
    {hue::kShearBlock, rgb(0x2781cd)},
    {hue::kStretchBlock, rgb(0xad3a8e)},
    {hue::kDiagonalBlock, rgb(0x19242e)},
    {hue::kContactBlock, rgb(0xc22f4a)},
};

/// Relative luminance, 0..1 (WCAG 2).
double luminance(ImU32 color) {
    const auto linear = [](unsigned channel) {
        const double c = (channel & 255u) / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color) + 0.7152 * linear(color >> 8) + 0.0722 * linear(color >> 16);
}

}  // namespace

Expected<ThemeKind> themeNamed(const std::string& key) {
    if (key.empty()) return ThemeKind::Dark;
    Error error{.message = fmt::format("there is no theme '{}'", shown(key))};
    for (const EnumEntry& entry : kThemeKinds) {
        if (entry.key == key) return static_cast<ThemeKind>(entry.value);
        error.choices.emplace_back(entry.key);
    }
    return fail(std::move(error));
}

ImU32 mixed(ImU32 a, ImU32 b, double t) {
    const auto channel = [&](int shift) {
        const double from = a >> shift & 255u, to = b >> shift & 255u;
        return unsigned(from + t * (to - from));
    };
    return packed(channel(0), channel(8), channel(16));
}

std::vector<ImU32> inkedColors() {
    std::vector<ImU32> colors;
    for (const Ink& ink : kInks) colors.push_back(ink.dark);
    return colors;
}

ImU32 themeInk(ThemeKind kind, ImU32 data) {
    if (kind == ThemeKind::Dark) return data;
    const unsigned alpha = data >> 24;
    const ImU32 opaque = withAlpha(data, 255);
    const auto found = std::ranges::find(kInks, opaque, &Ink::dark);
    if (found != std::end(kInks)) return withAlpha(found->light, alpha);
    constexpr double kMost = 0.3;  // of luminance: a contrast of 3 with white
    ImU32 color = opaque;
    while (luminance(color) > kMost) color = mixed(color, rgb(0), 0.1);
    return withAlpha(color, alpha);
}

}  // namespace clothlab::app::widgets
