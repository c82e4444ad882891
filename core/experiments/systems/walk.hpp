#pragma once

#include <climits>
#include <functional>
#include <span>
#include <stop_token>

#include "base/errors.hpp"
#include "simulation/simulation.hpp"

/// The one loop over the steps of an experiment: what takes systems, frames or sums of a motion says here what it wants
/// before and after a step.
namespace clothlab::experiments {

/// A simulation that is walked.
struct Walker {
    simulation::Simulation* simulation;
    /// What a step must leave besides what the guard wants; where it is false, the step has failed.
    std::function<bool(const simulation::Simulation&)> sound = {};
    bool failed = false;  ///< and takes no more steps
};

struct Walk {
    /// What a failed step does: ends the walk; leaves its walker behind, and ends it when that was the last; nothing.
    enum class Failure { Ends, LeavesBehind, Counts };

    int steps = 0;
    std::stop_token stop = {};
    Failure failure = Failure::Ends;
    int systemsFrom = INT_MAX;  ///< from this step on systemOfLastStep() has the system, where the method solves one
    /// Before the step with this number, counted from 1: the place to change settings or the state. An Error ends the
    /// walk.
    std::function<Expected<void>(int)> before = {};
    /// After a step of one that did not fail.
    std::function<void(const simulation::Simulation&)> after = {};
    /// After that step of all that are left.
    std::function<void(int)> afterAll = {};
};

struct Walked {
    enum class End { Done, Ended, Failed, Stopped } end = End::Done;
    int step = 0;  ///< the last one, or the one that was not taken or failed
    Error error;   ///< that ended it; of a step that failed its message
};

/// Takes the steps of all walkers in turn, so that whatever else the machine does meets all of them alike.
Walked walk(std::span<Walker> walkers, const Walk& how);

}  // namespace clothlab::experiments
