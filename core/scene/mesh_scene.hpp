#pragma once

#include "scene/scene.hpp"

namespace clothlab::scene {

/// A scene for an OBJ or PLY file as cloth: it falls from a little above the ground, in full view. An Error names the
/// fault of the file, with line and column.
Expected<Scene> sceneOfMesh(const std::string& path);

}  // namespace clothlab::scene
