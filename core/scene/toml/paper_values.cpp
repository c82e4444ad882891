#include "scene/paper_values.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scene/scene_fields.hpp"
#include "scene/toml/toml_text.hpp"

namespace clothlab::scene {
namespace {

/// What says nothing of the motion: threads, and a density where a particle mass is given or the other way round.
bool saysNothing(const Field& field) {
    if (field.key == "threads") return true;
    return (field.key == "material.density" || field.key == "material.particle_mass") && valueText(field.ref) == "0";
}

std::string unquoted(std::string text) {
    std::erase(text, '"');
    return text;
}

}  // namespace

std::vector<PaperRow> paperRows(const Scene& scene) {
    if (!scene.paper) return {};
    using enum PaperRow::From;
    Scene copy = scene;  // the tables bind to something that may change
    std::vector<PaperRow> rows;
    for (const PaperValue& value : scene.paper.values) {
        const auto field = overrideField(copy, value.key);
        if (!field) continue;  // of a cloth that was another one where the file was read
        const std::string here = tomlValue(*field);
        rows.push_back({.from = value.readOff ? ReadOff : Printed,
                        .key = value.key,
                        .label = std::string(field->meta.label),
                        .unit = std::string(field->meta.unit),
                        .paper = unquoted(fmt::format("{}", fmt::join(value.values, ", "))),
                        .here = unquoted(here),
                        .same = std::ranges::find(value.values, here) != value.values.end()});
    }
    const auto addOurs = [&](const FieldList& list) {
        for (const Field& field : list.fields())
            if (!saysNothing(field) && !equalValues(field.ref, field.defaults) &&
                std::ranges::find(scene.paper.values, field.key, &PaperValue::key) == scene.paper.values.end())
                rows.push_back({.key = field.key,
                                .label = std::string(field.meta.label),
                                .unit = std::string(field.meta.unit),
                                .paper = "",
                                .here = unquoted(tomlValue(field))});
    };
    addOurs(listFields(copy.settings));
    if (!copy.cloths.empty()) addOurs(listFields(copy.cloths.front(), "cloth"));
    return rows;
}

std::string paperSummary(const PaperSource& source, const std::vector<PaperRow>& rows) {
    int counts[3] = {0, 0, 0}, changed = 0;
    for (const PaperRow& row : rows) {
        ++counts[int(row.from)];
        changed += !row.same;
    }
    std::string text = fmt::format("{}: {} value{} printed there, {} read off, {} ours", source.source, counts[0],
                                   counts[0] == 1 ? "" : "s", counts[1], counts[2]);
    if (changed > 0) text += fmt::format("; {} of the paper's not kept", changed);
    return text;
}

}  // namespace clothlab::scene
