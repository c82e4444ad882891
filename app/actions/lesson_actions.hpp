#pragma once

#include <vector>

#include "actions/actions.hpp"

namespace clothlab::app::actions {

/// The way through a lesson; a presenter's remote sends the keys of the pages.
std::vector<Action> lessonActions();

}  // namespace clothlab::app::actions
