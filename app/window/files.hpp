#pragma once

#include <string>
#include <vector>

#include "model/ui_model.hpp"

/// What the window opens: scenes, saved states and meshes, by the gallery, by the list of scenes, or dropped on it.
namespace clothlab::app::window {

/// Those of the gallery's last group, anew: scenes that were opened last, and what lies in the working folder.
void listFiles(model::UiModel& model, const std::string& assets, const std::vector<std::string>& recent);
/// A scene by its name, or a file by its ending. What cannot be read is said, and what was there stays.
void open(model::UiModel& model, const std::string& assets, const std::string& path);

}  // namespace clothlab::app::window
