#include "architecture/linker_symbols.hpp"

#include <algorithm>
#include <sstream>

namespace clothlab::architecture {
namespace {

bool isInside(const std::string& folder, const std::string& library) {
    return folder == library || folder.starts_with(library + "/");
}

/// Whether a folder of one library may include a folder of the other.
bool mayUse(const Rules& rules, const std::string& from, const std::string& to) {
    return std::ranges::any_of(rules.mayInclude, [&](const auto& row) {
        return isInside(row.first, from) &&
               std::ranges::any_of(row.second, [&](const std::string& reached) { return isInside(reached, to); });
    });
}

}  // namespace

LinkerSymbols readSymbols(std::string_view printed) {
    LinkerSymbols symbols;
    std::set<std::string> weak;
    std::istringstream in{std::string(printed)};
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string name, type;
        if (!(words >> name >> type) || type.size() != 1) continue;
        if (type == "U")
            symbols.needed.insert(name);
        else if (std::string_view("TDBRC").find(type) != std::string_view::npos)
            symbols.defined.insert(name);
        else
            weak.insert(name);
    }
    std::erase_if(symbols.needed,
                  [&](const std::string& name) { return symbols.defined.contains(name) || weak.contains(name); });
    return symbols;
}

std::vector<std::string> symbolBreaches(const Rules& rules, const std::map<std::string, LinkerSymbols>& libraries) {
    std::map<std::string, std::string> home;
    for (const auto& [library, symbols] : libraries)
        for (const std::string& name : symbols.defined) home.emplace(name, library);
    std::vector<std::string> found;
    for (const auto& [library, symbols] : libraries) {
        std::set<std::string> told;
        for (const std::string& name : symbols.needed) {
            const auto at = home.find(name);
            if (at == home.end() || mayUse(rules, library, at->second) || !told.insert(at->second).second) continue;
            found.push_back(library + " needs " + name + " of " + at->second + ", which it may not include");
        }
    }
    return found;
}

}  // namespace clothlab::architecture
