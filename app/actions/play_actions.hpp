#pragma once

#include "actions/actions.hpp"

namespace clothlab::app::panels {

/// Those of the playground; part of the register.
std::vector<Action> playActions();

}  // namespace clothlab::app::panels
