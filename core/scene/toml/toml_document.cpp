#include "scene/toml/toml_document.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "scene/toml/toml_guard.hpp"
#define TOML_EXCEPTIONS 1  // as the packaged library was built
#include <toml++/toml.h>

namespace clothlab::scene {
namespace {

constexpr std::size_t kLongestDescription = 300;  // characters: it repeats keys of the file

TomlNode convert(const toml::node& node);

void convertTable(const toml::table& table, TomlNode& out) {
    out.kind = TomlNode::Kind::Table;
    for (const auto& [key, value] : table) {
        TomlNode::Entry entry;
        entry.key = key.str();
        entry.line = int(key.source().begin.line);
        entry.column = int(key.source().begin.column);
        entry.value = convert(value);
        out.entries.push_back(std::move(entry));
    }
    // The library iterates alphabetically; a reader of errors expects the first mistake of the file first.
    std::stable_sort(out.entries.begin(), out.entries.end(), [](const TomlNode::Entry& a, const TomlNode::Entry& b) {
        return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    });
}

TomlNode convert(const toml::node& node) {
    TomlNode out;
    out.line = int(node.source().begin.line);
    out.column = int(node.source().begin.column);
    if (const auto* table = node.as_table()) {
        convertTable(*table, out);
    } else if (const auto* array = node.as_array()) {
        out.kind = TomlNode::Kind::Array;
        for (const toml::node& item : *array) out.items.push_back(convert(item));
    } else if (const auto* boolean = node.as_boolean()) {
        out.kind = TomlNode::Kind::Boolean;
        out.boolean = boolean->get();
    } else if (const auto* integer = node.as_integer()) {
        out.kind = TomlNode::Kind::Integer;
        out.integer = integer->get();
        out.number = double(out.integer);
    } else if (const auto* number = node.as_floating_point()) {
        out.kind = TomlNode::Kind::Number;
        out.number = number->get();
    } else if (const auto* text = node.as_string()) {
        out.kind = TomlNode::Kind::Text;
        out.text = text->get();
    } else {
        out.kind = TomlNode::Kind::Other;
    }
    return out;
}

}  // namespace

const TomlNode::Entry* TomlNode::find(std::string_view key) const {
    const auto it = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) { return e.key == key; });
    return it == entries.end() ? nullptr : &*it;
}

std::string_view kindText(const TomlNode& node) {
    switch (node.kind) {
        case TomlNode::Kind::Boolean:
            return "true or false";
        case TomlNode::Kind::Integer:
            return "a whole number";
        case TomlNode::Kind::Number:
            return "a number";
        case TomlNode::Kind::Text:
            return "text";
        case TomlNode::Kind::Array:
            return "an array";
        case TomlNode::Kind::Table:
            return "a table";
        case TomlNode::Kind::Other:
            break;
    }
    return "a date or time";
}

Expected<TomlNode> parseToml(std::string_view text, const std::string& file) {
    if (auto done = guardToml(text, file); !done) return fail(done.error());
    try {
        TomlNode root;
        convertTable(toml::parse(text, file), root);
        root.line = root.column = 1;
        return root;
    } catch (const toml::parse_error& e) {
        return fail(Error{.message = shown(e.description(), kLongestDescription),
                          .file = file,
                          .line = int(e.source().begin.line),
                          .column = int(e.source().begin.column)});
    }
}

}  // namespace clothlab::scene
