#pragma once

#include <vector>

#include "actions/actions.hpp"

namespace clothlab::app::actions {

/// Actions that start, show and save background jobs: races, descents, measurements. Without keys; for buttons and
/// scripts.
std::vector<Action> jobActions();

}  // namespace clothlab::app::actions
