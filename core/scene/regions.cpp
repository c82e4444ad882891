#include "scene/regions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

#include "scene/numbering.hpp"
#include "scene/scene_fields.hpp"

namespace clothlab::scene {
namespace {

constexpr std::string_view kOfAWholeCloth = "membrane";  // a triangle resists as a whole
constexpr std::size_t kMostMaterials = std::numeric_limits<std::uint16_t>::max();

void copyField(const FieldList& from, const FieldList& to, std::string_view key) {
    copyValue(from.find(key)->ref, to.find(key)->ref);
}

/// The keys that a given mass excludes.
std::vector<std::string_view> excludedBy(std::string_view key) {
    if (key == "particle_mass") return {"density", "volume_density"};
    if (key == "density" || key == "volume_density") return {"particle_mass"};
    return {};
}

}  // namespace

bool regionTakes(std::string_view key) {
    cloth::MaterialSettings material;
    return key != kOfAWholeCloth && listFields(material).find(key);
}

std::vector<std::string> regionKeys() {
    cloth::MaterialSettings material;
    std::vector<std::string> keys = listFields(material).keys();
    std::erase(keys, kOfAWholeCloth);
    return keys;
}

void give(MaterialRegion& region, std::string_view key) {
    std::vector<std::string> given;
    const std::vector<std::string_view> excluded = excludedBy(key);
    for (const std::string& each : regionKeys()) {
        const bool said = std::ranges::find(region.given, each) != region.given.end();
        if (each == key || (said && std::ranges::find(excluded, each) == excluded.end())) given.push_back(each);
    }
    region.given = std::move(given);
    cloth::MaterialSettings values;
    std::swap(values, region.values);
    const FieldList from = listFields(values), to = listFields(region.values);
    for (const std::string& each : region.given) copyField(from, to, each);
}

cloth::MaterialSettings over(const MaterialRegion& region, cloth::MaterialSettings base) {
    MaterialRegion copy = region;  // the tables bind to something that may change
    const FieldList from = listFields(copy.values), to = listFields(base);
    for (const std::string& key : region.given) {
        copyField(from, to, key);
        settleMass(base, key);
    }
    return base;
}

std::string regionName(const MaterialRegion& region, std::size_t number) {
    return region.where.set.empty() ? fmt::format("{}", number + 1) : region.where.set;
}

Expected<std::vector<MaterialLayers>> layRegions(const Scene& scene, cloth::ClothModel& model) {
    std::vector<MaterialLayers> layers;
    std::vector<std::uint16_t> material(model.mass.size());
    for (std::size_t k = 0; k < model.patches.size(); ++k) {
        layers.push_back({k});
        const cloth::ClothModel::Patch& patch = model.patches[k];
        std::fill_n(material.begin() + patch.firstParticle, patch.particles, std::uint16_t(k));
    }
    const Numbering numbering(model);
    for (std::size_t r = 0; r < scene.regions.size(); ++r) {
        const auto covered = selectParticles(scene.regions[r].where, scene, numbering, "region");
        if (!covered) return fail(covered.error());
        std::map<std::uint16_t, std::uint16_t> covering;  // from a material to that with this region over it
        for (const Index i : covered->particles) {
            const auto [entry, isNew] = covering.try_emplace(material[i], std::uint16_t(layers.size()));
            if (isNew) {
                if (layers.size() > kMostMaterials)
                    return fail(fmt::format("regions: they make more than {} materials", kMostMaterials));
                layers.push_back(layers[material[i]]);
                layers.back().regions.push_back(r);
            }
            material[i] = entry->second;
        }
    }
    cloth::setMaterials(model, std::move(material));
    return layers;
}

std::vector<cloth::MaterialSettings> makeMaterials(std::span<const MaterialLayers> layers, const Scene& scene) {
    std::vector<cloth::MaterialSettings> materials;
    for (const MaterialLayers& each : layers) {
        materials.push_back(scene.cloths[each.cloth].material.value_or(scene.settings.material));
        for (const std::size_t r : each.regions) materials.back() = over(scene.regions[r], materials.back());
    }
    return materials;
}

}  // namespace clothlab::scene
