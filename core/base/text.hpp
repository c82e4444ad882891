#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Text of users and files: taken apart, read as numbers, and shown in messages.
namespace clothlab {

/// Characters of a user's text that a message repeats, and of a path, whose end says which file it is.
inline constexpr std::size_t kShownCharacters = 80, kShownPathCharacters = 240;

/// A user's text as a message may repeat it: control characters and bytes that are not UTF-8 become \x1b, marks that
/// turn the direction of writing \u202e, and of more than `most` characters the middle is left out ("abc...xyz").
std::string shown(std::string_view text, std::size_t most = kShownCharacters);
inline std::string shownPath(std::string_view path) { return shown(path, kShownPathCharacters); }

/// Bytes of the UTF-8 character at the start, 1 to 4; 0 where there is none.
std::size_t utf8Length(std::string_view text);

/// The parts between the separators, empty ones too: one more than there are separators.
std::vector<std::string> splitText(std::string_view text, char separator);

/// A whole text as a number, with or without a sign; blanks around it do not count. "nan" and "inf" are numbers: a
/// range check (`within`) refuses them. Nothing when it is no number, or too large for a double; one too small is 0.
std::optional<double> parseNumber(std::string_view text);
/// A whole text as a whole number of 64 bits.
std::optional<long> parseWhole(std::string_view text);

/// Whether min <= value <= max. NaN lies in no range.
constexpr bool within(double value, double min, double max) { return value >= min && value <= max; }

/// A field of a CSV file: in quotation marks where it has to be.
std::string csvField(std::string_view text);

/// A word as a shell takes it: in quotation marks where it has to be.
std::string shellWord(const std::string& text);

/// What a noun gets behind a count: "1 step", "2 steps".
constexpr const char* plural(auto count) { return count == 1 ? "" : "s"; }

/// Letters to change, add or drop to make one text the other; `most` + 1 when it is more than that.
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t most);

}  // namespace clothlab
