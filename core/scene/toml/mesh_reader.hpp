#pragma once

#include "scene/scene.hpp"
#include "scene/toml/toml_document.hpp"

namespace clothlab::scene {

/// The OBJ or PLY file that a key ("cloth.mesh") names: a path that begins at the folder of the scene file. An Error of
/// that file points into it.
Expected<MeshSource> readMeshSource(const TomlNode& node, std::string_view key, const std::string& file, bool strict);

/// The T-shirt, with edges of about so many metres, at most geometry::kCoarsestTShirt.
MeshSource tShirtSource(double spacing);

/// Reads the file that a [cloth] names with `mesh`, if it does. Or finds that the cloth is a solid. Refuses keys
/// that another kind has.
Expected<void> readMesh(const TomlNode& table, ClothPatch& cloth, const std::string& file);

}  // namespace clothlab::scene
