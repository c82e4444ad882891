#include "records/json_line.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/json.hpp"

namespace clothlab::records {
namespace {

/// A line of ours has some 200 values and keys of 40 letters.
constexpr std::size_t kMostValues = 4096, kLongestName = 256;

/// False when a name gets too long: names of levels are joined, and each value has its own.
bool flatten(const JsonNode& node, const std::string& name, Entries& out) {
    using Kind = JsonNode::Kind;
    if (name.size() > kLongestName) return false;
    const auto inside = [&name](const std::string& key) { return name.empty() ? key : name + "." + key; };
    switch (node.kind) {
        case Kind::Object:
            for (const auto& [key, value] : node.entries)
                if (!flatten(value, inside(key), out)) return false;
            break;
        case Kind::Array:
            for (std::size_t i = 0; i < node.items.size(); ++i)
                if (!flatten(node.items[i], inside(std::to_string(i)), out)) return false;
            break;
        case Kind::Number:
            out.emplace_back(name, node.number);
            break;
        case Kind::Null:
            out.emplace_back(name, std::nan(""));
            break;
        case Kind::Text:
            out.emplace_back(name, node.text);
            break;
        case Kind::Boolean:
            out.emplace_back(name, node.boolean ? "true" : "false");
            break;
    }
    return true;
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

Expected<Entries> readJsonLine(std::string_view line) {
    const auto root = parseJson(line, {}, {.depth = 16, .values = kMostValues});
    if (!root) return fail(root.error());
    if (root->kind != JsonNode::Kind::Object)
        return fail(Error{.message = "not a JSON object", .line = 1, .column = int(root->at) + 1});
    Entries out;
    if (!flatten(*root, {}, out))
        return fail(
            Error{.message = fmt::format("a key is longer than {} characters", kLongestName), .line = 1, .column = 1});
    return out;
}

}  // namespace clothlab::records
