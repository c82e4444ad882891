#include "records/json_line.hpp"

#include <fmt/format.h>

#include <cmath>

namespace clothlab::records {
namespace {

/// A line of ours has some 200 values and keys of 40 letters.
constexpr std::size_t kMostValues = 4096, kLongestName = 256;

/// Names of levels are joined, and each value has its own: their length is limited.
void flatten(const JsonValue& value, const std::string& name, Entries& out) {
    using Kind = JsonNode::Kind;
    if (name.size() > kLongestName)
        return value.refuse(fmt::format("a key is longer than {} characters", kLongestName));
    const auto inside = [&name](std::string_view key) {
        return fmt::format("{}{}{}", name, name.empty() ? "" : ".", key);
    };
    switch (value.node().kind) {
        case Kind::Object:
            for (const JsonValue& member : value.members()) flatten(member, inside(member.name()), out);
            break;
        case Kind::Array:
            for (int k = 0; const JsonValue& item : value.items()) flatten(item, inside(std::to_string(k++)), out);
            break;
        case Kind::Number:
            out.emplace_back(name, value.number());
            break;
        case Kind::Null:
            out.emplace_back(name, std::nan(""));
            break;
        case Kind::Text:
            out.emplace_back(name, value.text());
            break;
        case Kind::Boolean:
            out.emplace_back(name, value.flag() ? "true" : "false");
            break;
    }
}

}  // namespace

Json entriesJson(const Entries& entries) {
    Json out = Json::object();
    for (const auto& [key, value] : entries) {
        const double* v = std::get_if<double>(&value);
        const bool whole = v && *v == std::round(*v) && std::abs(*v) < 1e15;
        out[key] = !v ? Json(std::get<std::string>(value)) : whole ? Json(std::int64_t(*v)) : Json(*v);
    }
    return out;
}

std::string entriesLine(const Entries& entries) { return entriesJson(entries).text(); }

std::string jsonText(std::string_view text) { return Json(text).text(); }

Entries toEntries(const JsonValue& object) {
    Entries out;
    for (const JsonValue& member : object.members()) flatten(member, std::string(member.name()), out);
    return out;
}

Expected<Entries> readJsonLine(std::string_view line) {
    JsonReader reader(line, {}, {.depth = 16, .values = kMostValues});
    return reader.result(toEntries(reader.root()));
}

}  // namespace clothlab::records
