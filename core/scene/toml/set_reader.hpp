#pragma once

#include "scene/scene.hpp"
#include "scene/toml/toml_document.hpp"

namespace clothlab::scene {

/// Reads a [[set]]: `name`, `cloth` when there are several, and one of
///     particles = [0, 7, 12]              numbers in the cloth, from 0
///     near = [x, y, z]                    the particle that starts nearest to a point
///     box = [[x, y, z], [x, y, z]]        all that start in a box: its low corner, its high corner
/// Refuses a name in `known`, particles outside the cloth, and a box without a particle.
Expected<ParticleSet> readSet(const TomlNode& table, const std::vector<ClothPatch>& cloths,
                              const std::vector<ParticleSet>& known, const std::string& file);

/// Fails, at its place, if a table names an unknown set.
Expected<void> checkSetName(const TomlNode& table, std::string_view name, const std::vector<ParticleSet>& known,
                            const std::string& file);

}  // namespace clothlab::scene
