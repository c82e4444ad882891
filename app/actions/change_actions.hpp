#pragma once

#include <vector>

#include "actions/actions.hpp"

namespace clothlab::app::actions {

/// Undo, redo and the reset of the window's appearance.
std::vector<Action> changeActions();
/// Standard views of the camera.
std::vector<Action> cameraActions();

}  // namespace clothlab::app::actions
