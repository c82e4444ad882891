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
    SystemOrigin origin;                          ///< state K-1, and the result of the solve
    simulation::StepReport report;                ///< of step K
};

struct FreezeOptions {
    std::stop_token stop = {};  ///< ends a solve; that is a failed step
    /// Before the step with this number, counted from 1: the place to change settings or the state. False ends it.
    std::function<bool(int)> before = {};
    bool evenIfFailed = false;  ///< keep the system of a step whose result the guard refuses
};

/// The reason for a missing system.
struct NotFrozen {
    enum class Why { Ended, StepFailed, NoSystem } why;
    int step;             ///< the step that was not taken, failed or solves no system, counted from 1
    std::string message;  ///< of the step or the integrator
};

/// Takes this many steps and keeps the systems of the last two.
tl::expected<FrozenStep, NotFrozen> freezeStep(simulation::Simulation& simulation, int steps,
                                               const FreezeOptions& options = {});

}  // namespace clothlab::experiments
