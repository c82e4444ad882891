#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/errors.hpp"
#include "base/json.hpp"
#include "base/types.hpp"

/// Typed reading of JSON. A reader function reads what it needs and checks for errors once, at the end:
///
///     JsonReader reader(text, file);
///     table.seconds = reader.root()["seconds"].number();
///     for (const JsonValue& row : reader.root()["rows"].items()) table.rows.push_back(row.vector());
///     return reader.result(std::move(table));
///
/// The first mistake is kept, with its file, line and column. After it, any value of the wrong kind reads as 0, an
/// empty text or an empty list, so that a reader function needs no branches for errors.
namespace clothlab {

class JsonReader;

/// A value of the text, or a missing one: an error once it is read.
class JsonValue {
public:
    /// The key of a member; an item of a list has the name of its list; the root has none.
    std::string_view name() const { return name_; }
    /// Null when it is missing.
    const JsonNode& node() const;
    bool is(JsonNode::Kind kind) const { return node().kind == kind; }
    /// Whether it is an object with this member.
    bool has(std::string_view key) const { return node().find(key); }

    /// A member of an object. The key must outlive the value.
    JsonValue operator[](std::string_view key) const;
    /// All members of an object, in the order of the text.
    std::vector<JsonValue> members() const;
    /// All items of a list.
    std::vector<JsonValue> items() const;

    double number() const;
    /// A whole number in this range, ends included; `min` otherwise.
    std::int64_t whole(std::int64_t min, std::int64_t max = kMostWhole) const;
    Index index() const;
    bool flag() const;
    const std::string& text() const;
    std::vector<std::string> texts() const;
    /// [x, y, z]
    Vec3 vector() const;

    /// Reports a mistake at this place.
    void refuse(std::string message, std::vector<std::string> choices = {}) const;

    /// Whole numbers up to this one are exact as doubles.
    static constexpr std::int64_t kMostWhole = std::int64_t{1} << 53;

private:
    friend JsonReader;
    JsonValue(JsonReader& reader, const JsonNode* node, std::size_t at, std::string_view name)
        : reader_(&reader), node_(node), at_(at), name_(name) {}
    /// Whether it is of this kind; reports a mistake otherwise.
    bool need(JsonNode::Kind kind, std::string_view what, std::string_view valid = {}) const;

    JsonReader* reader_;
    const JsonNode* node_;
    std::size_t at_;  ///< byte offset of its start, or of the object that should have it
    std::string_view name_;
};

/// One text of JSON. Values refer to their reader.
class JsonReader {
public:
    /// A syntax error is the first mistake. `line` is the number of the text's first line in its file.
    JsonReader(std::string_view text, std::string file, const JsonLimits& limits = {}, int line = 1);
    JsonReader(const JsonReader&) = delete;

    JsonValue root() { return {*this, &root_, root_.at, {}}; }
    /// Checks the version of a kind of file under this key of the root: "this is no recording".
    void needVersion(std::string_view key, int version, std::string_view kind);

    const std::optional<Error>& problem() const { return problem_; }
    /// The value, or the first mistake.
    template <class T>
    Expected<T> result(T value) const {
        if (problem_) return fail(*problem_);
        return value;
    }

private:
    friend JsonValue;
    void refuse(std::size_t at, std::string message, std::vector<std::string> choices);

    std::string_view text_;
    std::string file_;
    int line_;
    JsonNode root_;
    std::optional<Error> problem_;
};

}  // namespace clothlab
