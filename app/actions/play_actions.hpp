#pragma once

#include "actions/actions.hpp"

namespace clothlab::app::actions {

/// Those of the playground; part of the register.
std::vector<Action> playActions();

}  // namespace clothlab::app::actions
