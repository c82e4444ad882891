#include "base/errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"

namespace clothlab {

std::string Error::text() const {
    std::string out;
    if (!file.empty()) {
        out += shownPath(file);
        if (line > 0) out += fmt::format(":{}", line);
        if (line > 0 && column > 0) out += fmt::format(":{}", column);
        out += ": ";
    }
    out += message;
    if (choices.empty()) return out;
    constexpr std::size_t kMost = 150;  // of names that a file invents there can be any number
    std::vector<std::string> listed;
    for (const std::string& choice : choices)
        if (listed.size() < kMost) listed.push_back(shownPath(choice));
    if (choices.size() > kMost) listed.push_back(fmt::format("and {} more", choices.size() - kMost));
    out += fmt::format(" (valid: {})", fmt::join(listed, ", "));
    return out;
}

}  // namespace clothlab
