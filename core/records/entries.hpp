#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace clothlab::records {

using Value = std::variant<double, std::string>;
/// Named values in the order in which they are printed: a row of a table, a line of an NDJSON file.
using Entries = std::vector<std::pair<std::string, Value>>;

/// The value of a key, or null.
inline const Value* findEntry(const Entries& entries, std::string_view key) {
    for (const auto& [name, value] : entries)
        if (name == key) return &value;
    return nullptr;
}

/// The number of a key, or `otherwise` when there is none.
inline double findNumber(const Entries& entries, std::string_view key, double otherwise = 0) {
    const Value* value = findEntry(entries, key);
    const double* number = value ? std::get_if<double>(value) : nullptr;
    return number ? *number : otherwise;
}

}  // namespace clothlab::records
