#pragma once

#include "commands/options.hpp"

namespace clothlab::app::window {

/// `clothlab view`: opens the window. Returns the exit code.
int runView(const commands::ViewOptions& options);

}  // namespace clothlab::app::window
