#include "scene/toml/paper_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "scene/toml/table_reader.hpp"
#include "scene/toml/toml_text.hpp"

namespace clothlab::scene {
namespace {

bool isWordCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// One key, or with a dot in it several levels of tables.
Expected<void> readValues(const TomlNode& node, const std::string& key, bool readOff, Scene& copy, PaperSource& paper,
                          const std::string& file) {
    if (node.kind == TomlNode::Kind::Table) {
        for (const TomlNode::Entry& entry : node.entries) {
            const std::string inner = key.empty() ? entry.key : fmt::format("{}.{}", key, entry.key);
            if (auto done = readValues(entry.value, inner, readOff, copy, paper, file); !done) return done;
        }
        return {};
    }
    const auto field = overrideField(copy, key);
    if (!field) return failAt(file, node, "paper: " + field.error().message, field.error().choices);
    if (std::ranges::find(paper.values, key, &PaperValue::key) != paper.values.end())
        return failAt(file, node, fmt::format("paper: '{}' is given twice", shown(key)),
                      {"either in [paper.printed] or in [paper.read_off]"});
    const bool several = node.kind == TomlNode::Kind::Array && !std::holds_alternative<Vec3*>(field->ref);
    if (several && node.items.empty())
        return failAt(file, node, fmt::format("paper: '{}' has no value", shown(key)), {validText(*field)});
    PaperValue value{.key = key, .values = {}, .readOff = readOff};
    for (const TomlNode& each : several ? std::span(node.items) : std::span(&node, 1)) {
        if (auto done = assignNode(*field, each, file); !done) return done;
        value.values.push_back(tomlValue(*field));
    }
    paper.values.push_back(std::move(value));
    return {};
}

}  // namespace

Expected<void> readPaper(const TomlNode& table, Scene& scene, const std::string& file) {
    if (auto done = expectTable(table, "paper", file); !done) return done;
    PaperSource paper;
    FieldList texts;
    texts.add("paper.source", paper.source, {.label = "source"});
    texts.add("paper.note", paper.note, {.label = "note"});
    if (auto done = readTable(table, "paper", texts, file, {"printed", "read_off"}); !done) return done;
    if (paper.source.empty()) return failAt(file, table, "paper: no source is given", {"source = \"Author, table 1\""});
    Scene copy = scene;
    for (const bool readOff : {false, true})
        if (const TomlNode::Entry* values = table.find(readOff ? "read_off" : "printed")) {
            if (auto done = expectTable(values->value, readOff ? "paper.read_off" : "paper.printed", file); !done)
                return done;
            if (auto done = readValues(values->value, "", readOff, copy, paper, file); !done) return done;
        }
    scene.paper = std::move(paper);
    return {};
}

std::string paperText(const Scene& scene) {
    const PaperSource& paper = scene.paper;
    if (!paper) return "";
    Scene copy = scene;
    const auto keyText = [](const std::string& key) {
        const bool bare = std::ranges::all_of(key, [](char c) { return isWordCharacter(c) || c == '.'; });
        return bare ? key : quotedText(key);
    };
    std::string out = fmt::format("\n[paper]\nsource = {}\n", quotedText(paper.source));
    if (!paper.note.empty()) out += fmt::format("note = {}\n", quotedText(paper.note));
    for (const bool readOff : {false, true}) {
        std::string lines;
        for (const PaperValue& value : paper.values)
            if (value.readOff == readOff && overrideField(copy, value.key)) {
                const std::string joined = fmt::format("{}", fmt::join(value.values, ", "));
                lines += value.values.size() == 1 ? fmt::format("{} = {}\n", keyText(value.key), joined)
                                                  : fmt::format("{} = [{}]\n", keyText(value.key), joined);
            }
        if (!lines.empty()) out += fmt::format("\n[paper.{}]\n{}", readOff ? "read_off" : "printed", lines);
    }
    return out;
}

}  // namespace clothlab::scene
