#pragma once

#include "scene/scene.hpp"
#include "scene/toml/toml_document.hpp"

namespace clothlab::scene {

/// Reads a [material] or a [cloth.material] over what `material` holds. `name` names the table in errors.
Expected<void> readMaterial(const TomlNode& table, std::string_view name, cloth::MaterialSettings& material,
                            const std::string& file);

/// Reads a [[region]]: its particles, and the keys of the material that differ from the cloth's.
Expected<MaterialRegion> readRegion(const TomlNode& table, const std::vector<ClothPatch>& cloths,
                                    const std::string& file);

}  // namespace clothlab::scene
