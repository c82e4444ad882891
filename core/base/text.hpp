#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Text of users and files: splitting, parsing numbers, and display in messages.
namespace clothlab {

/// Most characters of a user's text in a message, and of a path, whose end identifies the file.
inline constexpr std::size_t kShownCharacters = 80, kShownPathCharacters = 240;

/// A user's text as shown in messages: control characters and invalid UTF-8 become \x1b, marks that change the writing
/// direction \u202e, and the middle of a text longer than `most` characters is left out ("abc...xyz").
std::string shown(std::string_view text, std::size_t most = kShownCharacters);
inline std::string shownPath(std::string_view path) { return shown(path, kShownPathCharacters); }

/// Bytes of the UTF-8 character at the start, 1 to 4; 0 if there is none.
std::size_t utf8Length(std::string_view text);

/// The parts between the separators, empty ones too: one more than there are separators.
std::vector<std::string> splitText(std::string_view text, char separator);

/// A whole text as a number, with or without a sign, blanks around it ignored. "nan" and "inf" are numbers: a range
/// check (`within`) refuses them. Empty if it is not a number, or too large for a double; underflow gives 0.
std::optional<double> parseNumber(std::string_view text);
/// A whole text as a whole number of 64 bits.
std::optional<long> parseWhole(std::string_view text);

/// Whether min <= value <= max. False for NaN.
constexpr bool within(double value, double min, double max) { return value >= min && value <= max; }

/// A field of a CSV file: quoted if necessary.
std::string csvField(std::string_view text);

/// A word for a shell: quoted if necessary.
std::string shellWord(const std::string& text);

/// The plural ending after a count: "1 step", "2 steps".
constexpr const char* plural(auto count) { return count == 1 ? "" : "s"; }

/// Characters to change, add or drop to turn one text into the other; `most` + 1 if more.
std::size_t editDistance(std::string_view a, std::string_view b, std::size_t most);

}  // namespace clothlab
