#pragma once

#include "commands/options.hpp"

namespace clothlab::app {

/// `clothlab view`: opens the window. Returns the exit code.
int runView(const ViewOptions& options);

}  // namespace clothlab::app
