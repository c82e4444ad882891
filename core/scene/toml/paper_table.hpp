#pragma once

#include <string>

#include "scene/scene.hpp"
#include "scene/toml/toml_document.hpp"

namespace clothlab::scene {

/// Reads [paper] of a scene after its other tables. Each key must be valid for `--set` in this scene, and each value
/// possible.
Expected<void> readPaper(const TomlNode& table, Scene& scene, const std::string& file);
/// The same as text, without keys that no longer apply to the scene: its cloth may have changed.
std::string paperText(const Scene& scene);

}  // namespace clothlab::scene
