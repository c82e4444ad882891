#pragma once

#include "simulation/simulation.hpp"
#include "worker/jobs/background_thread.hpp"
#include "worker/jobs/step_gate.hpp"

namespace clothlab::app::worker {

/// The context of a request, on the simulation's thread and between two steps. Tasks may keep the gate; the simulation
/// has changed when they run.
struct JobContext {
    const simulation::Simulation& simulation;
    std::uint64_t mesh;  ///< revision of the mesh shown
    StepGate& gate;      ///< holds the motion during a measurement
    BackgroundThread& thread;
};

}  // namespace clothlab::app::worker
