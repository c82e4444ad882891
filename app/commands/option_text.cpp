#include "commands/option_text.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace clothlab::app::commands {
namespace {

/// As many as a picture of 8K has; a chart of so many is drawn in some seconds.
constexpr int kMaxSide = 8192;
constexpr long kMaxPixels = 7680L * 4320;

}  // namespace

std::string parseSize(const std::string& text, int& width, int& height) {
    const std::vector<std::string> sides = splitText(text, 'x');
    const auto side = [&](std::size_t i) { return sides.size() == 2 ? parseWhole(sides[i]).value_or(0) : 0; };
    const long w = side(0), h = side(1);
    if (!within(double(w), 16, kMaxSide) || !within(double(h), 16, kMaxSide) || w * h > kMaxPixels)
        return fmt::format("'{}' is not a size such as 1280x720 (16 to {} pixels each way, {} in all)", shown(text),
                           kMaxSide, kMaxPixels);
    width = int(w);
    height = int(h);
    return {};
}

std::string parseTolerances(const std::string& text, std::vector<double>& tolerances) {
    constexpr double kMin = 1e-14, kMax = 1;
    tolerances.clear();
    for (const std::string& part : splitText(text, ',')) {
        const auto number = parseNumber(part);
        if (!number || !within(*number, kMin, kMax))
            return fmt::format("'{}' is not a number, {} .. {}", shown(part), kMin, kMax);
        tolerances.push_back(*number);
    }
    return {};
}

}  // namespace clothlab::app::commands
