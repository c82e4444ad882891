#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace clothlab {

/// The parts between the separators, empty ones too: one more than there are separators.
inline std::vector<std::string> splitText(std::string_view text, char separator) {
    std::vector<std::string> parts;
    for (std::size_t start = 0; start <= text.size();) {
        const std::size_t end = std::min(text.find(separator, start), text.size());
        parts.emplace_back(text.substr(start, end - start));
        start = end + 1;
    }
    return parts;
}

}  // namespace clothlab
