#pragma once

#include <climits>
#include <functional>
#include <span>
#include <stop_token>

#include "base/errors.hpp"
#include "simulation/simulation.hpp"

/// The one loop over the steps of an experiment: code that collects systems, frames or sums of a motion hooks in here,
/// before and after each step.
namespace clothlab::experiments {

/// A simulation to be stepped.
struct Walker {
    simulation::Simulation* simulation;
    /// A check of a step besides those of the guard; if false, the step has failed.
    std::function<bool(const simulation::Simulation&)> sound = {};
    bool failed = false;  ///< and takes no more steps
};

struct Walk {
    /// Effect of a failed step: ends the walk; drops its walker, and ends the walk after the last one; nothing.
    enum class Failure { Ends, LeavesBehind, Counts };

    int steps = 0;
    std::stop_token stop = {};
    Failure failure = Failure::Ends;
    int systemsFrom = INT_MAX;  ///< from this step on systemOfLastStep() has the system, where the method solves one
    /// Before the step with this number, counted from 1: the place to change settings or the state. An Error ends the
    /// walk.
    std::function<Expected<void>(int)> before = {};
    /// After each step that did not fail.
    std::function<void(const simulation::Simulation&)> after = {};
    /// After that step of all remaining walkers.
    std::function<void(int)> afterAll = {};
};

struct Walked {
    enum class End { Done, Ended, Failed, Stopped } end = End::Done;
    int step = 0;  ///< the last one, or the one not taken or failed
    Error error;   ///< that ended it, or the message of the failed step
};

/// Takes the steps of all walkers in turn, so that disturbances of the machine affect all of them alike.
Walked walk(std::span<Walker> walkers, const Walk& how);

}  // namespace clothlab::experiments
