#pragma once

#include "commands/options.hpp"

namespace clothlab::app::commands {

/// `run --replay`: step by step what was recorded; --steps ends it earlier.
int runReplay(const RunCommand& command);

}  // namespace clothlab::app::commands
