#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/system_files.hpp"

namespace clothlab::app::commands {

/// The linear system of one step, and the one before it.
struct FrozenStep {
    std::unique_ptr<simulation::Simulation> simulation;
    linalg::FrozenSystem system;                  ///< leads from state K-1 to state K
    std::optional<linalg::FrozenSystem> earlier;  ///< from K-2 to K-1; none for the first step
    experiments::SystemOrigin origin;             ///< state K-1, and what the solve came to
};

/// Steps a scene to state K. Complaints go to stderr; returns an exit code, kExitDone when `out` is filled.
int freezeStep(scene::Scene scene, int step, FrozenStep& out);

}  // namespace clothlab::app::commands
