#pragma once

#include <vector>

#include "actions/actions.hpp"

namespace clothlab::app::actions {

/// Steps through a lesson; a presenter's remote sends Page up and Page down.
std::vector<Action> lessonActions();

}  // namespace clothlab::app::actions
