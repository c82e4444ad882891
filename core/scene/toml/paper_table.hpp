#pragma once

#include <string>

#include "scene/scene.hpp"
#include "scene/toml/toml_document.hpp"

namespace clothlab::scene {

/// [paper] of a scene whose other tables are read. Each key must be one that `--set` takes in this scene, and each
/// value one that it could have.
Expected<void> readPaper(const TomlNode& table, Scene& scene, const std::string& file);
/// The same as text, without the keys that the scene does not take any more: its cloth may have become another one.
std::string paperText(const Scene& scene);

}  // namespace clothlab::scene
