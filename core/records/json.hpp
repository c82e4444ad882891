#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/types.hpp"

namespace clothlab::records {

/// JSON for writing. For reading there is JsonNode (base/json.hpp), which knows its place in the text.
class Json {
public:
    /// null
    Json() = default;
    Json(bool value) : value_(value) {}
    /// null when it is not finite
    Json(double value);
    template <std::integral T>
    Json(T value) : value_(std::int64_t(value)) {}
    Json(std::string value) : value_(std::move(value)) {}
    Json(std::string_view value) : value_(std::string(value)) {}
    Json(const char* value) : value_(std::string(value)) {}
    /// [x, y, z]
    Json(const Vec3& value);

    static Json array() { return Json(Array{}); }
    static Json object() { return Json(Object{}); }
    template <class Values>
    static Json array(const Values& values) {
        Json out = array();
        for (const auto& value : values) out.push(Json(value));
        return out;
    }

    /// The value of a key of an object, initially null; keys keep their order. Null becomes an object.
    Json& operator[](std::string_view key);
    /// Appends to an array. Null becomes one.
    void push(Json value);
    /// Appends the keys of another object.
    void append(Json object);

    /// In one line, or indented by this many blanks per level. Numbers read back to the same bits. Invalid UTF-8 is
    /// replaced by U+FFFD.
    std::string text(int indent = -1) const;

private:
    using Array = std::vector<Json>;
    /// Keys in the order of insertion.
    struct Object {
        std::vector<std::string> keys;
        std::vector<Json> values;
    };
    explicit Json(Array values) : value_(std::move(values)) {}
    explicit Json(Object members) : value_(std::move(members)) {}

    std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;

    friend struct JsonWriter;
};

/// Negative values mean "not measured" and become null.
inline Json measured(double value) { return value >= 0 ? Json(value) : Json(); }

/// A state hash: 16 hex digits.
std::string hashText(std::uint64_t hash);

}  // namespace clothlab::records
