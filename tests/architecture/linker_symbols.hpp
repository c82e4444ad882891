#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "architecture/rules.hpp"

/// Layers by what the linker sees. A header may declare what a source of a higher folder defines. Then no include
/// points up, but the library still depends on the one above it.
namespace clothlab::architecture {

/// Names of a library, as the compiler mangles them.
struct LinkerSymbols {
    std::set<std::string>
        defined;  ///< strong symbols: every library that uses a template or an inline function defines it
    std::set<std::string> needed;  ///< and not defined in it
};

/// Reads what `nm --format=posix` prints of an archive: "name type value size" in a line each.
LinkerSymbols readSymbols(std::string_view printed);

/// One sentence for each library that needs a symbol of a folder which it may not include, with one such symbol.
/// Libraries by their folders, named as in the block `includes`; a folder stands for those inside of it.
std::vector<std::string> symbolBreaches(const Rules& rules, const std::map<std::string, LinkerSymbols>& libraries);

}  // namespace clothlab::architecture
