#include "scene/length_units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace clothlab::scene {
namespace {

constexpr std::array kUnits{NamedNumber{"m", 1},      NamedNumber{"dm", 0.1},    NamedNumber{"cm", 0.01},
                            NamedNumber{"mm", 0.001}, NamedNumber{"in", 0.0254}, NamedNumber{"ft", 0.3048}};

}  // namespace

std::span<const NamedNumber> lengthUnits() { return kUnits; }

std::string likelyScale(double size) {
    const double exponent = std::clamp(-std::round(std::log10(size)), -4.0, 4.0);  // what a scale may be
    for (const NamedNumber& unit : kUnits)
        if (std::log10(unit.value) == exponent) return fmt::format("\"{}\"", unit.word);
    return fmt::format("{:g}", std::pow(10, exponent));
}

}  // namespace clothlab::scene
