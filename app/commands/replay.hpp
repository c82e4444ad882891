#pragma once

#include "commands/options.hpp"

namespace clothlab::app::commands {

/// `run --replay`: replays a recording step by step; --steps ends it earlier.
int runReplay(const RunCommand& command);

}  // namespace clothlab::app::commands
