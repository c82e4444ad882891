#include "base/number_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clothlab {
namespace {

std::string dropTrailingZeros(std::string text) {
    if (text.find('.') == std::string::npos) return text;
    while (text.back() == '0') text.pop_back();
    if (text.back() == '.') text.pop_back();
    return text;
}

std::string withThousands(std::string digits) {
    const std::size_t start = digits[0] == '-' ? 1 : 0;
    for (std::size_t at = digits.size(); at > start + 3; at -= 3) digits.insert(at - 3, 1, ',');
    return digits;
}

}  // namespace

std::string formatNumber(double value, int digits) {
    if (!std::isfinite(value)) return std::isnan(value) ? "-" : value > 0 ? "inf" : "-inf";
    if (value == 0) return "0";
    const double magnitude = std::abs(value);
    if (magnitude < 1e-2 * (1 - 1e-12) || magnitude >= 1e6) {
        int exponent = int(std::floor(std::log10(magnitude)));
        std::string mantissa = dropTrailingZeros(fmt::format("{:.{}f}", value / std::pow(10.0, exponent), digits - 1));
        if (mantissa == "10" || mantissa == "-10") {
            mantissa = mantissa[0] == '-' ? "-1" : "1";
            ++exponent;
        }
        return fmt::format("{}e{}", mantissa, exponent);
    }
    const int before = std::max(1, int(std::floor(std::log10(magnitude))) + 1);
    const int lead = magnitude < 1 ? int(-std::floor(std::log10(magnitude))) - 1 : 0;
    const int decimals = std::max(0, (magnitude < 1 ? lead + digits : digits - before));
    std::string text = dropTrailingZeros(fmt::format("{:.{}f}", value, decimals));
    return magnitude >= 1000 && text.find('.') == std::string::npos ? withThousands(text) : text;
}

}  // namespace clothlab
