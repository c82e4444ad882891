#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace clothlab::architecture {

/// Turns of phrase that no other program uses, in what a user or a contributor reads: string literals and comments that
/// begin with `///`. One sentence each: "line: what: the line". docs/conventions.md has the rule.
std::vector<std::string> oddWords(std::string_view text);

}  // namespace clothlab::architecture
