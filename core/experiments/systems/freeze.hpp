#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "experiments/systems/system_files.hpp"

namespace clothlab::experiments {

/// The linear system of step K, and the one before it.
struct FrozenStep {
    linalg::FrozenSystem system;                  ///< leads from state K-1 to state K
    std::optional<linalg::FrozenSystem> earlier;  ///< from K-2 to K-1; none for the first step
    SystemOrigin origin;                          ///< state K-1, and what the solve came to
    simulation::StepReport report;                ///< of step K
};

struct FreezeOptions {
    std::stop_token stop = {};  ///< ends a solve; that is a failed step
    /// Before the step with this number, counted from 1: the place to change settings or the state. False ends it.
    std::function<bool(int)> before = {};
    bool evenIfFailed = false;  ///< the system of a step counts though the guard refuses the state that it leads to
};

/// Why there is no system.
struct NotFrozen {
    enum class Why { Ended, StepFailed, NoSystem } why;
    int step;             ///< the one that was not taken, failed or solves none, counted from 1
    std::string message;  ///< what the step or the integrator has to say
};

/// Takes so many steps and keeps the systems of the last two.
tl::expected<FrozenStep, NotFrozen> freezeStep(simulation::Simulation& simulation, int steps,
                                               const FreezeOptions& options = {});

}  // namespace clothlab::experiments
