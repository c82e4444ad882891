#pragma once

#include <vector>

#include "actions/actions.hpp"

namespace clothlab::app::actions {

/// One action per fabric, and one for that of the scene.
std::vector<Action> fabricActions();

}  // namespace clothlab::app::actions
