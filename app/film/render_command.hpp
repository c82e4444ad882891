#pragma once

#include <string>

#include "base/errors.hpp"
#include "commands/options.hpp"

namespace clothlab::simulation {
class Simulation;
}

namespace clothlab::app::film {

/// `clothlab render`: draws a film or pictures off screen. Returns the exit code.
int runRender(const commands::RenderOptions& options);

/// A name such as "x.jpg", which would become a folder, is an Error; `option` is the name of its option.
Expected<void> checkFilmName(const std::string& option, const std::string& out);

/// The present state of a simulation as a PNG.
Expected<void> drawPicture(simulation::Simulation& simulation, const std::string& file);

}  // namespace clothlab::app::film
