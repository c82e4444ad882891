#pragma once

#include "contact/collider.hpp"
#include "scene/toml/toml_document.hpp"

namespace clothlab::scene {

/// Reads one [[collider]] table; `number` (from 1) names an unnamed collider.
Expected<contact::Collider> readCollider(const TomlNode& table, int number, const std::string& file);

}  // namespace clothlab::scene
