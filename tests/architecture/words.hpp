#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clothlab::architecture {

/// Finds odd phrases in string literals and in comments that begin with `///`. One sentence each: "line: what: the
/// line". The rule is in docs/conventions.md.
std::vector<std::string> oddWords(std::string_view text);

}  // namespace clothlab::architecture
