#include "scene/toml/material_reader.hpp"

#include <fmt/format.h>

#include "scene/regions.hpp"
#include "scene/scene_fields.hpp"
#include "scene/toml/range_reader.hpp"
#include "scene/toml/table_reader.hpp"

namespace clothlab::scene {
namespace {

constexpr std::string_view kRegion = "region";

/// The mass is said in one way, and is above 0. Returns the keys that say it.
Expected<std::vector<std::string_view>> readMassKeys(const TomlNode& table, std::string_view name,
                                                     const std::string& file) {
    const TomlNode::Entry* mass = table.find("particle_mass");
    std::vector<std::string_view> given;
    for (const std::string_view key : {"density", "volume_density", "particle_mass"}) {
        const TomlNode::Entry* entry = table.find(key);
        if (!entry) continue;
        if (mass && entry != mass) {
            const auto* later =
                std::pair(entry->line, entry->column) < std::pair(mass->line, mass->column) ? mass : entry;
            return failAt(file, later->line, later->column,
                          fmt::format("{}: {} and particle_mass are both given", name, key), {"exactly one of them"});
        }
        if (entry->value.number <= 0)
            return failAt(file, entry->value, fmt::format("{}.{} must be larger than 0", name, key));
        given.push_back(key);
    }
    return given;
}

Expected<void> refuseKeysOfAWholeCloth(const TomlNode& table, const std::string& file) {
    cloth::MaterialSettings any;
    for (const TomlNode::Entry& entry : table.entries)
        if (listFields(any).find(entry.key) && !regionTakes(entry.key))
            return failAt(file, entry.line, entry.column,
                          fmt::format("region.{}: a whole cloth has this in common", entry.key),
                          {fmt::format("{} in [material] or [cloth.material]", entry.key)});
    return {};
}

}  // namespace

Expected<void> readMaterial(const TomlNode& table, std::string_view name, cloth::MaterialSettings& material,
                            const std::string& file) {
    if (auto done = readTable(table, name, listFields(material, name), file); !done) return done;
    const auto masses = readMassKeys(table, name, file);
    if (!masses) return fail(masses.error());
    for (const std::string_view key : *masses) settleMass(material, key);
    return {};
}

Expected<MaterialRegion> readRegion(const TomlNode& table, const std::vector<ClothPatch>& cloths,
                                    const std::string& file) {
    if (auto done = refuseKeysOfAWholeCloth(table, file); !done) return fail(done.error());
    const std::vector<std::string> keys = regionKeys();
    const std::vector<std::string_view> ofMaterial(keys.begin(), keys.end());
    const auto where = readRange(table, kRegion, cloths, file, ofMaterial);
    if (!where) return fail(where.error());
    MaterialRegion region;
    region.where = *where;
    for (const std::string& key : keys) {
        const TomlNode::Entry* entry = table.find(key);
        if (!entry) continue;
        const FieldList fields = listFields(region.values, kRegion);
        const Field* field = fields.find(fmt::format("{}.{}", kRegion, key));
        if (auto done = assignNode(*field, entry->value, file); !done) return fail(done.error());
        give(region, key);
    }
    if (region.given.empty())
        return failAt(file, table, "the region says nothing of its material",
                      {"stretch_stiffness = 5000", "density = 0.4"});
    if (const auto masses = readMassKeys(table, kRegion, file); !masses) return fail(masses.error());
    return region;
}

}  // namespace clothlab::scene
