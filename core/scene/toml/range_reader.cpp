#include "scene/toml/range_reader.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "scene/scene_fields.hpp"
#include "scene/toml/table_reader.hpp"

namespace clothlab::scene {
namespace {

Error withChoice(Error error, std::string choice) {
    error.choices.push_back(std::move(choice));
    return error;
}

constexpr int kFar = 1'000'000;  // beyond any grid: the range check of the cloth says it better

Expected<AxisRange> readPair(const TomlNode& node, std::string_view key, const std::string& file) {
    if (node.kind == TomlNode::Kind::Text && node.text == "all") return AxisRange{0, -1};
    if (node.kind != TomlNode::Kind::Array || node.items.size() != 2)
        return failAt(file, node,
                      fmt::format("{}: a first and a last {} are needed", key, key.substr(0, key.size() - 1)),
                      {fmt::format("{} = [0, -1]", key), fmt::format("{} = \"all\"", key)});
    const auto from = readInteger(node.items[0], key, -kFar, kFar, file);
    if (!from) return fail(from.error());
    const auto to = readInteger(node.items[1], key, -kFar, kFar, file);
    if (!to) return fail(to.error());
    return AxisRange{*from, *to};
}

/// Either `row` or `rows`, checked against the number of rows.
Expected<AxisRange> readAxis(const TomlNode& table, std::string_view name, std::string_view word, int count,
                             const std::string& file) {
    const std::string many = fmt::format("{}s", word);
    const TomlNode::Entry *one = table.find(word), *several = table.find(many);
    if (one && several)
        return failAt(file, several->line, several->column, fmt::format("'{}' and '{}' are both given", word, many),
                      {"one of them"});
    if (!one && !several)
        return failAt(
            file, table, fmt::format("{}: no {} is given", name, word),
            {fmt::format("{} = 0", word), fmt::format("{} = [0, -1]", many), fmt::format("{} = \"all\"", many)});
    AxisRange range{};
    if (one) {
        const bool middle = one->value.kind == TomlNode::Kind::Text && one->value.text == "middle";
        const auto number = middle ? Expected<int>(kMiddle) : readInteger(one->value, word, -kFar, kFar, file);
        if (!number) return fail(withChoice(number.error(), fmt::format("{} = \"middle\"", word)));
        range = {*number, *number};
    } else {
        auto pair = readPair(several->value, many, file);
        if (!pair) return pair;
        range = *pair;
    }
    const TomlNode& place = one ? one->value : several->value;
    if (auto inside = resolveAxis(range.from, range.to, count, word); !inside)
        return failAt(file, place, fmt::format("{}: {}", name, inside.error().message), inside.error().choices);
    return range;
}

Expected<int> readStep(const TomlNode& table, std::string_view key, const std::string& file) {
    const TomlNode::Entry* entry = table.find(key);
    if (!entry) return 1;
    return readInteger(entry->value, key, 1, kFar, file);
}

constexpr std::string_view kAxisKeys[] = {"row", "rows", "column", "columns", "row_step", "column_step"};

Expected<void> refuseUnknown(const TomlNode& table, std::string_view name, std::span<const std::string_view> others,
                             const std::string& file) {
    std::vector<std::string> valid(std::begin(kAxisKeys), std::end(kAxisKeys));
    valid.insert(valid.end(), {"cloth", "set"});
    for (std::string_view other : others) valid.emplace_back(other);
    for (const TomlNode::Entry& entry : table.entries)
        if (std::find(valid.begin(), valid.end(), entry.key) == valid.end())
            return failAt(file, entry.line, entry.column, fmt::format("unknown key '{}' in {}", shown(entry.key), name),
                          valid);
    return {};
}

/// `set = "rim"` stands alone: the set knows its cloth. That there is such a set is checked where all are known.
Expected<ParticleRange> readSetName(const TomlNode& table, const TomlNode::Entry& set, std::string_view name,
                                    const std::string& file) {
    if (set.value.kind != TomlNode::Kind::Text || set.value.text.empty())
        return failAt(file, set.value, fmt::format("{}.set: the name of a set is needed", name), {"set = \"rim\""});
    for (const TomlNode::Entry& entry : table.entries)
        if (entry.key == "cloth" ||
            std::find(std::begin(kAxisKeys), std::end(kAxisKeys), entry.key) != std::end(kAxisKeys))
            return failAt(file, entry.line, entry.column,
                          fmt::format("{}: 'set' and '{}' both say which particles", name, entry.key), {"one of them"});
    return ParticleRange{.set = set.value.text};
}

/// A mesh and a solid have no rows: their particles are in sets.
tl::unexpected<Error> refuseAxes(const TomlNode& table, std::string_view name, const ClothPatch& cloth,
                                 const std::string& file) {
    const std::vector<std::string> valid{"set = \"NAME\", of a [[set]]"};
    for (const TomlNode::Entry& entry : table.entries)
        if (std::find(std::begin(kAxisKeys), std::end(kAxisKeys), entry.key) != std::end(kAxisKeys))
            return failAt(file, entry.line, entry.column,
                          fmt::format("{}: the cloth is {}, which has no {}", name, displayName(cloth),
                                      entry.key.starts_with("row") ? "rows" : "columns"),
                          valid);
    return failAt(file, table, fmt::format("{}: no particles are given", name), valid);
}

}  // namespace

Expected<int> readClothNumber(const TomlNode& table, std::string_view name, std::size_t cloths,
                              const std::string& file) {
    if (const TomlNode::Entry* entry = table.find("cloth"))
        return readInteger(entry->value, "cloth", 0, int(cloths) - 1, file);
    if (cloths > 1)
        return failAt(file, table, fmt::format("{}: no cloth is given, and there are {}", name, cloths),
                      {fmt::format("cloth = 0 .. {}", cloths - 1)});
    return 0;
}

Expected<ParticleRange> readRange(const TomlNode& table, std::string_view name, const std::vector<ClothPatch>& cloths,
                                  const std::string& file, std::span<const std::string_view> others) {
    if (auto done = refuseUnknown(table, name, others, file); !done) return fail(done.error());
    if (const TomlNode::Entry* set = table.find("set")) return readSetName(table, *set, name, file);
    const auto number = readClothNumber(table, name, cloths.size(), file);
    if (!number) return fail(number.error());
    ParticleRange range{.cloth = *number};
    const ClothPatch& cloth = cloths[range.cloth];
    if (cloth.mesh || cloth.solid) return refuseAxes(table, name, cloth, file);
    const auto rows = readAxis(table, name, "row", cloth.rows, file);
    if (!rows) return fail(rows.error());
    const auto columns = readAxis(table, name, "column", cloth.columns, file);
    if (!columns) return fail(columns.error());
    const auto rowStep = readStep(table, "row_step", file), columnStep = readStep(table, "column_step", file);
    if (!rowStep) return fail(rowStep.error());
    if (!columnStep) return fail(columnStep.error());
    range.rowFrom = rows->from;
    range.rowTo = rows->to;
    range.columnFrom = columns->from;
    range.columnTo = columns->to;
    range.rowStep = *rowStep;
    range.columnStep = *columnStep;
    return range;
}

}  // namespace clothlab::scene
