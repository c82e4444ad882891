#pragma once

#include <string>

#include "base/output.hpp"
#include "simulation/simulation.hpp"
#include "simulation/state_bytes.hpp"

/// A simulation in a file (state_bytes.hpp). Another run continues from it like this one; a lagged factor is dropped on
/// loading, as at every jump.
namespace clothlab::simulation {

std::string stateBytes(const Simulation& simulation);
Expected<void> saveState(const Simulation& simulation, const std::string& path, const InputFiles& inputs);
Expected<SavedState> loadState(const std::string& path);

/// A sentence if the settings keep a factor between steps, which no state stores: it is recomputed, and last bits may
/// differ from a run without a break. Otherwise empty.
std::string lostFactor(const scene::Settings& settings);

/// Builds the scene and takes the state. An Error says what does not fit the scene.
Expected<std::unique_ptr<Simulation>> resume(const SavedState& saved, int threads);

/// Empty, or why this state fits no such world: a particle, solid or spring out of range, a number that is not finite,
/// lists out of order.
std::string misfit(const integrators::SimulationState& state, const Simulation& world);

}  // namespace clothlab::simulation
