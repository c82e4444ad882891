#include "base/base64.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace clothlab {
namespace {

constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

}  // namespace

std::string base64(std::string_view bytes) {
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t k = 0; k < bytes.size(); k += 3) {
        const std::size_t there = std::min<std::size_t>(3, bytes.size() - k);
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 3; ++i)
            group = group << 8 | (i < there ? std::uint32_t(static_cast<unsigned char>(bytes[k + i])) : 0u);
        for (std::size_t i = 0; i < 4; ++i) text += i <= there ? kDigits[group >> (18 - 6 * i) & 63] : '=';
    }
    return text;
}

std::optional<std::string> fromBase64(std::string_view text) {
    if (text.size() % 4 != 0) return {};
    std::string bytes;
    bytes.reserve(text.size() / 4 * 3);
    for (std::size_t k = 0; k < text.size(); k += 4) {
        const bool last = k + 4 == text.size();
        const std::size_t padded = last && text[k + 3] == '=' ? (text[k + 2] == '=' ? 2 : 1) : 0;
        std::uint32_t group = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const std::size_t digit = i >= 4 - padded ? 0 : kDigits.find(text[k + i]);
            if (digit == kDigits.npos) return {};
            group = group << 6 | std::uint32_t(digit);
        }
        for (std::size_t i = 0; i < 3 - padded; ++i) bytes += char(group >> (16 - 8 * i) & 255);
    }
    return bytes;
}

}  // namespace clothlab
