#include "architecture/words.hpp"

#include <regex>
#include <sstream>

namespace clothlab::architecture {
namespace {

/// Where "there is not" and "none" stand for a missing noun, persons for functions, and "stand", "go on" for "be",
/// "continue".
const std::regex kOdd(
    R"(that there (is|are) not|that is none|\b[Nn]obody\b|\b[Ww]hoever\b|\b[Gg]oes on|\b[Ss]tands? (in|behind|still)\b)"
    R"(|all the same|of (now|then|before)\b|/// Of )");

/// The part of a line that people read: its string literals, or the whole of a documentation comment.
std::string readByPeople(const std::string& line) {
    if (const std::size_t comment = line.find("///"); comment != line.npos) return line.substr(comment);
    static const std::regex literal(R"re("(\\.|[^"\\])*")re");
    std::string text;
    for (auto at = std::sregex_iterator(line.begin(), line.end(), literal); at != std::sregex_iterator(); ++at)
        text += at->str() + " ";
    return text;
}

}  // namespace

std::vector<std::string> oddWords(std::string_view text) {
    std::vector<std::string> found;
    std::istringstream in{std::string(text)};
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        std::smatch match;
        const std::string read = readByPeople(line);
        if (std::regex_search(read, match, kOdd))
            found.push_back(std::to_string(number) + ": '" + match.str() + "': " + read);
    }
    return found;
}

}  // namespace clothlab::architecture
