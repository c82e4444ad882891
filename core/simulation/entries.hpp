#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace clothlab::simulation {

using Value = std::variant<double, std::string>;
/// Named values in the order in which they are printed: a row of a table, a line of an NDJSON file.
using Entries = std::vector<std::pair<std::string, Value>>;

/// The value of a key, or null.
inline const Value* findEntry(const Entries& entries, std::string_view key) {
    for (const auto& [name, value] : entries)
        if (name == key) return &value;
    return nullptr;
}

}  // namespace clothlab::simulation
