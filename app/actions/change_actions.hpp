#pragma once

#include <vector>

#include "actions/actions.hpp"

namespace clothlab::app::actions {

/// Taking back and doing again, for the register.
std::vector<Action> changeActions();
/// From where the cloth is seen, for the register.
std::vector<Action> cameraActions();

}  // namespace clothlab::app::actions
