#include <fmt/format.h>

#include "base/text.hpp"
#include "scene/regions.hpp"
#include "scene/retired_keys.hpp"
#include "scene/scene_fields.hpp"
#include "scene/toml/table_reader.hpp"

namespace clothlab::scene {
namespace {

std::string_view clothKey(std::string_view key) { return key.starts_with("cloth.") ? key.substr(6) : ""; }

/// "region.rim.density" apart: "region.rim" and "density"; empty when it is of no region.
struct RegionKey {
    std::string_view table, member;
};
RegionKey regionKey(std::string_view key) {
    const std::size_t dot = key.rfind('.');
    if (!key.starts_with("region.") || dot < 7) return {};
    return {key.substr(0, dot), key.substr(dot + 1)};
}
std::string regionTable(const Scene& scene, std::size_t number) {
    return "region." + regionName(scene.regions[number], number);
}

/// Where an override of `key` may land; several for a key of all cloths that have a use for it.
std::vector<FieldList> targets(Scene& scene, std::string_view key = {}) {
    std::vector<FieldList> lists;
    lists.push_back(lengthFields(scene));
    lists.push_back(listFields(scene.settings));
    lists.push_back(listFields(scene.camera, "camera"));
    for (ClothPatch& cloth : scene.cloths) {
        if (takesKey(cloth, clothKey(key))) lists.push_back(listFields(cloth, "cloth"));
        if (cloth.material) lists.push_back(listFields(*cloth.material, "material"));
    }
    if (const RegionKey of = regionKey(key); regionTakes(of.member))
        for (std::size_t r = 0; r < scene.regions.size(); ++r)
            if (regionTable(scene, r) == of.table) lists.push_back(listFields(scene.regions[r].values, of.table));
    return lists;
}

/// Members of arrays of tables have no key of their own.
std::string_view hintFor(std::string_view key) {
    const std::string_view table = key.substr(0, key.find('.'));
    if (table == "collider") return "colliders are changed in the scene file, in their [[collider]] tables";
    if (table == "set") return "sets are changed in the scene file, in their [[set]] tables";
    if (key == "cloth.mesh" || key == "cloth.strict") return "a mesh belongs to its scene file, with its pins and sets";
    if (table == "pins") return "pins are changed in the scene file, in its [[pins]] tables";
    if (table == "point_force") return "point forces are changed in the scene file, in its [[point_force]] tables";
    if (key.starts_with("cloth.material")) return "use material.x: it reaches every cloth";
    return {};
}

/// No region of this name, or nothing that a region says.
Error unknownOfRegion(const Scene& scene, std::string_view key) {
    std::vector<std::string> tables;
    for (std::size_t r = 0; r < scene.regions.size(); ++r) tables.push_back(regionTable(scene, r));
    if (tables.empty())
        return Error{.message = fmt::format("'{}' cannot be set: the scene has no [[region]]", shown(key))};
    if (std::ranges::find(tables, regionKey(key).table) != tables.end())
        return Error{.message = fmt::format("unknown key '{}'", shown(key)), .choices = regionKeys()};
    for (std::string& table : tables) table = shown(table) + ".KEY";
    return Error{.message = fmt::format("there is no region for '{}'", shown(key)), .choices = std::move(tables)};
}

Error unknownOverride(Scene& scene, std::string_view key) {
    if (const auto hint = hintFor(key); !hint.empty())
        return Error{.message = fmt::format("'{}' cannot be set here: {}", shown(key), hint)};
    for (ClothPatch& cloth : scene.cloths)
        if (!takesKey(cloth, clothKey(key)) && listFields(cloth, "cloth").find(key))
            return Error{.message = fmt::format("{}: {}", key, refusalOfKey(cloth, clothKey(key)))};
    if (key.starts_with("region.")) return unknownOfRegion(scene, key);
    std::vector<std::string> valid;
    const std::string table = std::string(key.substr(0, key.find('.') + 1));
    FieldList words;  // only for its search of similar words, in all lists at once
    int unused = 0;
    for (const FieldList& list : targets(scene))
        for (const std::string& name : list.keys()) {
            words.add(name, unused, {});
            if (!table.empty() && key.find('.') != key.npos && name.starts_with(table)) valid.push_back(name);
        }
    const std::vector<std::string> similar = words.similar(key);
    if (valid.empty()) valid = std::vector<std::string>(1, "the keys that --help-settings lists");
    return unknownKey(key, similar, std::move(valid));
}

void settleMasses(Scene& scene, std::string_view key) {
    if (!key.starts_with("material.")) return;
    const std::string_view member = key.substr(key.find('.') + 1);
    settleMass(scene.settings.material, member);
    for (ClothPatch& cloth : scene.cloths)
        if (cloth.material) settleMass(*cloth.material, member);
}

Expected<void> assignOverride(Scene& scene, std::string_view assignment) {
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos || equals == 0)
        return fail(
            Error{.message = "this is not of the form key=value", .choices = {"for example integrator.dt=0.005"}});
    const std::string_view key = assignment.substr(0, equals), value = assignment.substr(equals + 1);
    if (isRetired(key)) {
        scene.notes.push_back(retiredNote(key));
        return {};
    }
    bool found = false;
    for (const FieldList& list : targets(scene, key)) {
        const Field* field = list.find(key);
        if (!field) continue;
        found = true;
        if (auto done = assignText(*field, value); !done) return done;
        const bool isMass = key.ends_with(".density") || key.ends_with(".particle_mass");
        if (isMass && !(**std::get_if<double*>(&field->ref) > 0))
            return fail(Error{.message = fmt::format("{} must be larger than 0", key)});
    }
    if (!found) return fail(unknownOverride(scene, key));
    settleMasses(scene, key);
    if (const RegionKey of = regionKey(key); !of.member.empty())
        for (std::size_t r = 0; r < scene.regions.size(); ++r)
            if (regionTable(scene, r) == of.table) give(scene.regions[r], of.member);
    return {};
}

}  // namespace

Expected<void> applyOverride(Scene& scene, std::string_view assignment, std::string_view option) {
    const Scene before = scene;
    auto done = assignOverride(scene, assignment);
    if (!done) {
        scene = before;  // an override happens whole or not at all
        if (!option.empty())
            done.error().message = fmt::format("{} {}: {}", option, shown(assignment), done.error().message);
    }
    return done;
}

Expected<Field> overrideField(Scene& scene, std::string_view key) {
    for (const FieldList& list : targets(scene, key))
        if (const Field* found = list.find(key)) {
            Field field = *found;
            field.defaults = field.ref;  // those of the list go with it
            return field;
        }
    return fail(unknownOverride(scene, key));
}

}  // namespace clothlab::scene
