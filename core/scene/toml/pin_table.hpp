#pragma once

#include "scene/scene.hpp"
#include "scene/toml/toml_document.hpp"

/// A [[pins]] table: its particles, what they are held on, and their motion.
///     free = [0, 1, 0]      held on a line along it;     normal = [0, 1, 0]   on a plane;     neither: at a point
///     velocity, angular_velocity, center, start_time, stop_time, keyframes = [[time, x, y, z], ...]
namespace clothlab::scene {

/// Every mistake is an Error with file, line, column and what would be valid.
Expected<ScenePin> readPin(const TomlNode& table, const std::vector<ClothPatch>& cloths, const std::string& file);

/// The lines that read back to the same pin, without those of the particles.
std::string pinText(const ScenePin& pin);

}  // namespace clothlab::scene
