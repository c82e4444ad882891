#pragma once

#include "scene/scene.hpp"

namespace clothlab::scene {

/// A scene around an OBJ or PLY file that somebody wants to see as cloth: it falls from a little above the ground, seen
/// whole. An Error says what in the file cannot be read, with line and column.
Expected<Scene> sceneOfMesh(const std::string& path);

}  // namespace clothlab::scene
