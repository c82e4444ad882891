#include "base/errors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace clothlab {

std::string Error::text() const {
    std::string out;
    if (!file.empty()) {
        out += file;
        if (line > 0) out += fmt::format(":{}:{}", line, column);
        out += ": ";
    }
    out += message;
    if (!choices.empty()) out += fmt::format(" (valid: {})", fmt::join(choices, ", "));
    return out;
}

}  // namespace clothlab
