#pragma once

#include "commands/options.hpp"

namespace clothlab::app {

/// `clothlab plot`: draws curves from reports and sweeps. Returns the exit code.
int runPlot(const PlotCommand& command);

}  // namespace clothlab::app
