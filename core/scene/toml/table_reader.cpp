#include "scene/toml/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "scene/retired_keys.hpp"

namespace clothlab::scene {
namespace {

Expected<void> assignArray(const Field& field, const TomlNode& node, const std::string& file) {
    if (!std::holds_alternative<Vec3*>(field.ref))
        return failAt(file, node, fmt::format("{}: an array does not fit here", field.key), {validText(field)});
    if (node.items.size() != 3)
        return failAt(file, node, fmt::format("{}: {} numbers where three are needed", field.key, node.items.size()),
                      {validText(field)});
    Vec3 value;
    for (int c = 0; c < 3; ++c) {
        const TomlNode& item = node.items[c];
        if (!item.isNumber())
            return failAt(file, item, fmt::format("{}: {} where a number is needed", field.key, kindText(item)),
                          {validText(field)});
        value[c] = item.number;
    }
    return assignVector(field, value);
}

Expected<void> assignValue(const Field& field, const TomlNode& node, const std::string& file) {
    switch (node.kind) {
        case TomlNode::Kind::Boolean:
            return assignBool(field, node.boolean);
        case TomlNode::Kind::Integer:
            return assignNumber(field, node.number, true);
        case TomlNode::Kind::Number:
            return assignNumber(field, node.number, false);
        case TomlNode::Kind::Text:
            return assignString(field, node.text);
        case TomlNode::Kind::Array:
            return assignArray(field, node, file);
        default:
            break;
    }
    return failAt(file, node, fmt::format("{}: {} does not fit here", field.key, kindText(node)), {validText(field)});
}

}  // namespace

tl::unexpected<Error> failAt(const std::string& file, int line, int column, std::string message,
                             std::vector<std::string> choices) {
    return fail(Error{
        .message = std::move(message), .file = file, .line = line, .column = column, .choices = std::move(choices)});
}

tl::unexpected<Error> failAt(const std::string& file, const TomlNode& node, std::string message,
                             std::vector<std::string> choices) {
    return failAt(file, node.line, node.column, std::move(message), std::move(choices));
}

Expected<void> assignNode(const Field& field, const TomlNode& node, const std::string& file) {
    Expected<void> done = assignValue(field, node, file);
    if (!done && done.error().line == 0) {
        done.error().file = file;
        done.error().line = node.line;
        done.error().column = node.column;
    }
    return done;
}

Expected<int> readInteger(const TomlNode& node, std::string_view key, int min, int max, const std::string& file) {
    const std::string valid = fmt::format("a whole number, {} .. {}", min, max);
    if (node.kind != TomlNode::Kind::Integer)
        return failAt(file, node, fmt::format("{}: {} where a whole number is needed", key, kindText(node)), {valid});
    if (node.integer < min || node.integer > max)
        return failAt(file, node, fmt::format("{}: {} is out of range", key, node.integer), {valid});
    return int(node.integer);
}

Error unknownKey(std::string_view key, const std::vector<std::string>& similar, std::vector<std::string> valid) {
    Error error{.message = fmt::format("unknown key '{}'", shown(key)), .choices = std::move(valid)};
    if (!similar.empty()) error.message += fmt::format("; did you mean '{}'?", similar.front());
    return error;
}

Expected<void> readTable(const TomlNode& table, std::string_view prefix, const FieldList& list, const std::string& file,
                         std::initializer_list<std::string_view> byHand) {
    const std::string dot = prefix.empty() ? "" : fmt::format("{}.", prefix);
    for (const TomlNode::Entry& entry : table.entries) {
        if (std::find(byHand.begin(), byHand.end(), entry.key) != byHand.end()) continue;
        const std::string key = dot + entry.key;
        if (const Field* field = list.find(key)) {
            if (auto done = assignNode(*field, entry.value, file); !done) return done;
            continue;
        }
        if (isRetired(key)) continue;
        std::vector<std::string> valid;
        for (const Field& field : list.fields())
            if (field.key.starts_with(dot)) valid.push_back(field.key.substr(dot.size()));
        for (std::string_view name : byHand) valid.emplace_back(name);
        Error error = unknownKey(key, list.similar(key), std::move(valid));
        error.file = file;
        error.line = entry.line;
        error.column = entry.column;
        return fail(std::move(error));
    }
    return {};
}

Expected<void> expectTable(const TomlNode& node, std::string_view name, const std::string& file) {
    if (node.kind == TomlNode::Kind::Table) return {};
    return failAt(file, node, fmt::format("{}: {} where a table is needed", name, kindText(node)),
                  {fmt::format("[{}] and its keys on the lines below", name)});
}

}  // namespace clothlab::scene
