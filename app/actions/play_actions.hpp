#pragma once

#include "actions/actions.hpp"

namespace clothlab::app::actions {

/// Actions of the playground.
std::vector<Action> playActions();

}  // namespace clothlab::app::actions
