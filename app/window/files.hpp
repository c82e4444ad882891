#pragma once

#include <string>
#include <vector>

#include "model/ui_model.hpp"

/// Files that the window opens: scenes, saved states and meshes, from the gallery, the list of scenes, or dropped on
/// it.
namespace clothlab::app::window {

/// Refreshes the gallery's last group: recent scenes, and files of the working folder.
void listFiles(model::UiModel& model, const std::string& assets, const std::vector<std::string>& recent);
/// Opens a scene by its name, or a file by its extension. On failure shows the error and changes nothing.
void open(model::UiModel& model, const std::string& assets, const std::string& path);

}  // namespace clothlab::app::window
