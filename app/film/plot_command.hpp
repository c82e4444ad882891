#pragma once

#include "commands/options.hpp"

namespace clothlab::app::film {

/// `clothlab plot`: draws curves from reports and sweeps. Returns the exit code.
int runPlot(const commands::PlotCommand& command);

}  // namespace clothlab::app::film
