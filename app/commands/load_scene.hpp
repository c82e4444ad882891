#pragma once

#include <string>
#include <vector>

#include "commands/say.hpp"
#include "scene/scene.hpp"
#include "simulation/state_file.hpp"

namespace clothlab::app::commands {

/// The scene of a command: found by name or path, with the --set assignments applied in order, and --threads over
/// both (-1 = not given; 0 = auto).
Expected<scene::Scene> loadScene(const std::string& nameOrPath, const std::vector<std::string>& sets, int threads);

/// The state in a file, with --set and --threads over its settings. Settings that change the mesh are refused.
Expected<simulation::SavedState> loadSaved(const std::string& path, const std::vector<std::string>& sets, int threads);

}  // namespace clothlab::app::commands
