#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cloth/cloth_model.hpp"
#include "scene/scene.hpp"

namespace clothlab::scene {

/// Whether a region may set this key of a material; keys common to a whole cloth it may not.
bool regionTakes(std::string_view key);
/// The keys that it may set, in the order of the description table.
std::vector<std::string> regionKeys();
/// Marks a key as given by the region, with its value in `values`. Removes other ways to give the mass.
void give(MaterialRegion& region, std::string_view key);
/// The base with the values given by the region.
cloth::MaterialSettings over(const MaterialRegion& region, cloth::MaterialSettings base);
/// The name of a region in `--set region.NAME.key` and messages: its set, or else its number from 1.
std::string regionName(const MaterialRegion& region, std::size_t number);

/// The layers of one material of a world: that of a cloth, and the regions over it, the uppermost last.
struct MaterialLayers {
    std::size_t cloth = 0;
    std::vector<std::size_t> regions = {};
};
/// Lays the scene's regions over the model: sets the material of each particle, and returns the list of materials,
/// which begins with one per cloth. Masses and springs follow with `cloth::applyMaterials`.
Expected<std::vector<MaterialLayers>> layRegions(const Scene& scene, cloth::ClothModel& model);
/// The materials themselves: a cloth's own or that of the scene's settings, with the values given by the regions.
std::vector<cloth::MaterialSettings> makeMaterials(std::span<const MaterialLayers> layers, const Scene& scene);

}  // namespace clothlab::scene
