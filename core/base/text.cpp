#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <locale>
#include <sstream>
#include <type_traits>

namespace clothlab {
namespace {

/// Code points that a terminal obeys instead of showing: control characters, marks of direction, invisible ones.
bool obeyed(char32_t code) {
    return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xad || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
           code >= 0xe0000;
}

char32_t decode(std::string_view character) {
    const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(character[i])); };
    if (character.size() == 1) return byte(0);
    char32_t code = byte(0) & (0x7fu >> character.size());
    for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte(i) & 0x3f);
    return code;
}

/// The first character as it is shown, and how many bytes it takes.
std::pair<std::string, std::size_t> shownCharacter(std::string_view text) {
    const std::size_t length = utf8Length(text);
    if (length == 0) return {fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0])), 1};
    const std::string_view character = text.substr(0, length);
    const char32_t code = decode(character);
    if (!obeyed(code)) return {std::string(character), length};
    if (code == '\n') return {"\\n", 1};
    if (code == '\t') return {"\\t", 1};
    return {code < 0x80 ? fmt::format("\\x{:02x}", unsigned(code)) : fmt::format("\\u{:04x}", unsigned(code)), length};
}

/// Shown characters from the start, until `most` columns are full.
std::string shownStart(std::string_view text, std::size_t most) {
    std::string out;
    for (std::size_t columns = 0; !text.empty();) {
        const auto [character, length] = shownCharacter(text);
        columns += character.front() == '\\' ? character.size() : 1;
        if (columns > most) break;
        out += character;
        text.remove_prefix(length);
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    if (text.size() > 1 && text.front() == '+' && text[1] != '-') text.remove_prefix(1);
    return text;
}

/// A number that std::from_chars finds out of range: 0 when it is too small, nothing when it is too large.
template <class T>
std::optional<T> tooSmall(std::string_view text) {
    std::istringstream in{std::string(text)};
    in.imbue(std::locale::classic());
    T value{};
    if (!(in >> value)) return {};
    return value;
}

template <class T>
std::optional<T> parseWith(std::string_view text) {
    text = trimmed(text);
    T value{};
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (end != text.data() + text.size()) return {};
    if constexpr (std::is_floating_point_v<T>)
        if (code == std::errc::result_out_of_range) return tooSmall<T>(text);
    if (code != std::errc{}) return {};
    return value;
}

}  // namespace

std::size_t utf8Length(std::string_view text) {
    if (text.empty()) return 0;
    const auto first = static_cast<unsigned char>(text[0]);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    if (length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(text[i]) & 0xc0) != 0x80) return 0;
    if (length < 3) return length;
    const char32_t code = decode(text.substr(0, length));
    const bool overlong = code < (length == 3 ? 0x800u : 0x10000u), surrogate = code >= 0xd800 && code < 0xe000;
    return overlong || surrogate || code > 0x10ffff ? 0 : length;
}

std::string shown(std::string_view text, std::size_t most) {
    // A character takes four bytes at most: beyond that only the two ends are looked at, whatever the length.
    if (text.size() <= 4 * most)
        if (std::string whole = shownStart(text, text.size() * 6); shownStart(text, most).size() == whole.size())
            return whole;
    const std::size_t tail = most / 4;
    std::size_t from = text.size() - std::min(text.size(), tail);
    while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xc0) == 0x80)
        ++from;  // not within a character
    return shownStart(text, most - tail - 3) + "..." + shownStart(text.substr(from), tail);
}

std::vector<std::string> splitText(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        parts.emplace_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

std::string csvField(std::string_view text) {
    if (text.find_first_of(",\"\r\n") == text.npos) return std::string(text);
    std::string out = "\"";
    for (const char c : text) out += c == '"' ? std::string(2, c) : std::string(1, c);
    return out + "\"";
}

std::optional<double> parseNumber(std::string_view text) { return parseWith<double>(text); }
std::optional<long> parseWhole(std::string_view text) { return parseWith<long>(text); }

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t most) {
    if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > most) return most + 1;
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0], least = row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t up = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = up;
            least = std::min(least, row[j]);
        }
        if (least > most) return most + 1;  // it never falls from row to row
    }
    return std::min(row[b.size()], most + 1);
}

std::string shellWord(const std::string& text) {
    const auto safe = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("._-/=,+:@%").find(c) != std::string_view::npos;
    };
    if (!text.empty() && std::ranges::all_of(text, safe)) return text;
    std::string word = "'";
    for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return word + "'";
}

}  // namespace clothlab
