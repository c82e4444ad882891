#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"

/// JSON for reading (RFC 8259): our own small parser, because messages give line and column also of values that parse
/// but make no sense, and because depth and number of values are limited before anything is built. Typed reading is in
/// base/json_reader.hpp, writing in records/json.hpp.
namespace clothlab {

struct JsonNode {
    enum class Kind { Null, Boolean, Number, Text, Array, Object };

    Kind kind = Kind::Null;
    std::size_t at = 0;  ///< byte offset of its start
    bool boolean = false;
    double number = 0;  ///< finite
    std::string text;
    struct Entry;
    std::vector<JsonNode> items;  ///< of an array
    std::vector<Entry> entries;   ///< of an object, in the order of the text; keys are unique

    bool isNumber() const { return kind == Kind::Number; }
    /// Value of a key of an object, or null.
    const JsonNode* find(std::string_view key) const;
};

struct JsonNode::Entry {
    std::string key;
    JsonNode value;
};

struct JsonLimits {
    int depth = 64;
    std::size_t values = 10'000'000;
};

/// An Error has line and column, and `file` as it is given.
Expected<JsonNode> parseJson(std::string_view text, const std::string& file, const JsonLimits& limits = {});

}  // namespace clothlab
