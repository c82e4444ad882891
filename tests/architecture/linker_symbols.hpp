#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/rules.hpp"

/// Checks the layers by linker symbols. A header may declare a function that a source of a higher folder defines. Then
/// no include points up, but the library still depends on the one above it.
namespace clothlab::architecture {

/// Names of a library, as the compiler mangles them.
struct LinkerSymbols {
    std::set<std::string> defined;  ///< strong symbols only: templates and inline functions are defined by every user
    std::set<std::string> needed;   ///< used in the library, but not defined in it
};

/// Reads the output of `nm --format=posix` for an archive: one "name type value size" per line.
LinkerSymbols readSymbols(std::string_view printed);

/// One sentence for each library that needs a symbol of a folder which it may not include, with one such symbol.
/// Libraries are given by folder, named as in the block `includes`; a folder includes the folders inside of it.
std::vector<std::string> symbolBreaches(const Rules& rules, const std::map<std::string, LinkerSymbols>& libraries);

}  // namespace clothlab::architecture
