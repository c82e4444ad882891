#pragma once

#include <vector>

#include "actions/actions.hpp"

namespace clothlab::app::actions {

/// What starts, shows and saves what runs beside the motion: races, descents, measurements. No key; for buttons and
/// scripts.
std::vector<Action> jobActions();

}  // namespace clothlab::app::actions
