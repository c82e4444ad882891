#include "model/sources.hpp"

#include <fmt/format.h>

namespace clothlab::app::model {
namespace {

struct CitedWork {
    std::string_view key, author;
};
constexpr CitedWork kWorks[] = {{"[B]", "Boxerman"},       {"[Y]", "Ye and others"}, {"[P]", "Sideris and others"},
                                {"[L]", "Liu and others"}, {"[C]", "Chen"},          {"[Saad]", "Saad"}};

}  // namespace

std::string sourceText(std::string_view source) {
    std::string text(source);
    for (const CitedWork& work : kWorks)
        for (std::size_t at; (at = text.find(work.key)) != text.npos;) text.replace(at, work.key.size(), work.author);
    constexpr std::string_view kMethods = "methods ";
    const std::size_t open = text.find(" ("), close = text.find(')', open);
    if (!text.starts_with(kMethods) || open == text.npos || close == text.npos) return text;
    const std::string section = text.substr(kMethods.size(), open - kMethods.size()),
                      page = text.substr(open + 2, close - open - 2);
    return fmt::format("docs/methods/{} {}{}", page, section, text.substr(close + 1));
}

}  // namespace clothlab::app::model
