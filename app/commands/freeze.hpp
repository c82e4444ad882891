#pragma once

#include <memory>

#include "experiments/systems/freeze.hpp"

namespace clothlab::app::commands {

struct SceneStep : experiments::FrozenStep {
    std::unique_ptr<simulation::Simulation> simulation;  ///< at state K; null where the system comes from files
};

/// Steps a scene to state K. Errors go to stderr; returns an exit code, kExitDone when `out` is filled.
int freezeScene(scene::Scene scene, int step, SceneStep& out);

}  // namespace clothlab::app::commands
