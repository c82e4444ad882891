#pragma once

#include "scene/scene.hpp"
#include "scene/toml/toml_document.hpp"

namespace clothlab::scene {

/// The OBJ or PLY file named by a key ("cloth.mesh"): a path relative to the folder of the scene file. An Error in that
/// file points into it.
Expected<MeshSource> readMeshSource(const TomlNode& node, std::string_view key, const std::string& file, bool strict);

/// The T-shirt, with edges of about `spacing` metres, at most geometry::kCoarsestTShirt.
MeshSource tShirtSource(double spacing);

/// Reads the file that a [cloth] names with `mesh`, if it does. Or detects that the cloth is a solid. Refuses keys of
/// other kinds.
Expected<void> readMesh(const TomlNode& table, ClothPatch& cloth, const std::string& file);

}  // namespace clothlab::scene
