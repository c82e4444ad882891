#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"

namespace clothlab::scene {

/// A parsed TOML file as a plain tree with the place of every node. Only toml_document.cpp sees the TOML library;
/// readers work on this, and can point at the mistake.
struct TomlNode {
    enum class Kind { Boolean, Integer, Number, Text, Array, Table, Other };

    Kind kind = Kind::Table;
    int line = 0, column = 0;  ///< 1-based
    bool boolean = false;
    std::int64_t integer = 0;
    double number = 0;  ///< also of an integer
    std::string text;

    struct Entry;
    std::vector<TomlNode> items;  ///< of an array
    std::vector<Entry> entries;   ///< of a table, in the order of the file

    bool isNumber() const { return kind == Kind::Integer || kind == Kind::Number; }
    /// Entry of a table, or null.
    const Entry* find(std::string_view key) const;
};

struct TomlNode::Entry {
    std::string key;
    int line = 0, column = 0;  ///< of the key
    TomlNode value;
};

/// The kind of a node for an error: "a table", "a whole number", ...
std::string_view kindText(const TomlNode& node);

/// Syntax errors and duplicate keys are an Error with line and column.
Expected<TomlNode> parseToml(std::string_view text, const std::string& file);

}  // namespace clothlab::scene
