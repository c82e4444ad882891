#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "cloth/cloth_model.hpp"
#include "scene/scene.hpp"

namespace clothlab::scene {

/// Whether a region may say this key of a material; what a whole cloth has in common it may not.
bool regionTakes(std::string_view key);
/// The keys that it may, in the order of the description table.
std::vector<std::string> regionKeys();
/// From now on the region says this key, whose value stands in `values`. Takes back what it says otherwise of the mass.
void give(MaterialRegion& region, std::string_view key);
/// The base with what the region says.
cloth::MaterialSettings over(const MaterialRegion& region, cloth::MaterialSettings base);
/// By which `--set region.NAME.key` and messages know a region: its set, else its number from 1.
std::string nameOf(const MaterialRegion& region, std::size_t number);

/// What one material of a world is made of: that of a cloth, and the regions that lie over it, the uppermost last.
struct MaterialLayers {
    std::size_t cloth = 0;
    std::vector<std::size_t> regions = {};
};
/// Lays the scene's regions over the model: says of each particle which material it is made of, and returns the list of
/// them, which begins with one a cloth. Masses and springs follow with `cloth::takeMaterials`.
Expected<std::vector<MaterialLayers>> layRegions(const Scene& scene, cloth::ClothModel& model);
/// The materials themselves: a cloth's own or that of the scene's settings, with what the regions say.
std::vector<cloth::MaterialSettings> materialsOf(std::span<const MaterialLayers> layers, const Scene& scene);

}  // namespace clothlab::scene
