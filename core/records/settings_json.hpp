#pragma once

#include <span>
#include <string>

#include "records/json.hpp"
#include "scene/scene.hpp"

namespace clothlab::records {

/// A setting's value.
Json valueJson(const Field& field);

/// Nested by the dots of the keys. Of density and particle mass, the active one.
Json settingsJson(const scene::Settings& settings);

/// [{"name", "title", "watch", "steps", "particles", "file"}]
std::string sceneListJson(std::span<const scene::Scene> scenes);

}  // namespace clothlab::records
