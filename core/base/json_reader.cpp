#include "base/json_reader.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>

#include "base/input.hpp"
#include "base/text.hpp"

namespace clothlab {
namespace {

using Kind = JsonNode::Kind;

std::string_view kindText(Kind kind) {
    constexpr std::array kTexts{"null", "true or false", "a number", "a text", "a list", "an object"};
    return kTexts[int(kind)];
}

}  // namespace

const JsonNode& JsonValue::node() const {
    static const JsonNode kNone;
    return node_ ? *node_ : kNone;
}

void JsonValue::refuse(std::string message, std::vector<std::string> choices) const {
    reader_->refuse(at_, std::move(message), std::move(choices));
}

bool JsonValue::need(Kind kind, std::string_view what, std::string_view valid) const {
    if (node_ && node_->kind == kind) return true;
    std::vector<std::string> choices;
    if (!valid.empty() || !node_) choices.emplace_back(valid.empty() ? what : valid);
    if (node_)
        refuse(fmt::format("{}{}{} where {} is needed", shown(name_), name_.empty() ? "" : ": ", kindText(node_->kind),
                           what),
               std::move(choices));
    else
        refuse(fmt::format("'{}' is missing", shown(name_)), std::move(choices));
    return false;
}

JsonValue JsonValue::operator[](std::string_view key) const {
    if (!is(Kind::Object)) need(Kind::Object, "an object", fmt::format("{{\"{}\": ...}}", key));
    const JsonNode* found = node().find(key);
    return {*reader_, found, found ? found->at : at_, key};
}

std::vector<JsonValue> JsonValue::members() const {
    need(Kind::Object, "an object");
    std::vector<JsonValue> out;
    for (const auto& [key, value] : node().entries) out.push_back({*reader_, &value, value.at, key});
    return out;
}

std::vector<JsonValue> JsonValue::items() const {
    need(Kind::Array, "a list");
    std::vector<JsonValue> out;
    for (const JsonNode& item : node().items) out.push_back({*reader_, &item, item.at, name_});
    return out;
}

double JsonValue::number() const {
    need(Kind::Number, "a number");
    return node().number;
}

std::int64_t JsonValue::whole(std::int64_t min, std::int64_t max) const {
    const double value = node().number;
    if (is(Kind::Number) && within(value, double(min), double(max)) && value == std::floor(value))
        return std::int64_t(value);
    const std::string valid = max < kMostWhole ? fmt::format("a whole number, {} .. {}", min, max)
                                               : fmt::format("a whole number, {} or more", min);
    if (need(Kind::Number, "a whole number", valid))
        refuse(fmt::format("{}: {} is {}", shown(name_), value,
                           value == std::floor(value) ? "out of range" : "no whole number"),
               {valid});
    return min;
}

Index JsonValue::index() const { return Index(whole(0, std::numeric_limits<Index>::max())); }

bool JsonValue::flag() const {
    need(Kind::Boolean, "true or false");
    return node().boolean;
}

const std::string& JsonValue::text() const {
    need(Kind::Text, "a text");
    return node().text;
}

std::vector<std::string> JsonValue::texts() const {
    std::vector<std::string> out;
    for (const JsonValue& item : items()) out.push_back(item.text());
    return out;
}

Vec3 JsonValue::vector() const {
    constexpr std::string_view kValid = "[x, y, z]";
    Vec3 out = Vec3::Zero();
    if (!need(Kind::Array, "a list of three numbers", kValid)) return out;
    const std::vector<JsonValue> numbers = items();
    if (numbers.size() != 3)
        refuse(
            fmt::format("{}: {} number{} where three are needed", shown(name_), numbers.size(), plural(numbers.size())),
            {std::string(kValid)});
    else
        out = {numbers[0].number(), numbers[1].number(), numbers[2].number()};
    return out;
}

JsonReader::JsonReader(std::string_view text, std::string file, const JsonLimits& limits, int line)
    : text_(text), file_(std::move(file)), line_(line) {
    auto root = parseJson(text_, file_, limits);
    if (root)
        root_ = std::move(*root);
    else
        (problem_ = std::move(root.error()))->line += line_ - 1;
}

void JsonReader::refuse(std::size_t at, std::string message, std::vector<std::string> choices) {
    if (problem_) return;
    const TextPlace place = textPlace(text_, at);
    problem_ = Error{.message = std::move(message),
                     .file = file_,
                     .line = line_ + place.line - 1,
                     .column = place.column,
                     .choices = std::move(choices)};
}

void JsonReader::needVersion(std::string_view key, int version, std::string_view kind) {
    if (!root().has(key) || !root()[key].is(Kind::Number))
        return root().refuse(fmt::format("this is no {}", kind), {fmt::format("{{\"{}\": {}, ...}}", key, version)});
    if (const double found = root()[key].number(); found != version)
        root()[key].refuse(fmt::format("a {} of version {}; this program reads version {}", kind, found, version));
}

}  // namespace clothlab
