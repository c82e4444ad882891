#pragma once

#include <string>

#include "base/output.hpp"
#include "simulation/simulation.hpp"
#include "simulation/state_bytes.hpp"

/// A simulation in a file (state_bytes.hpp). Another run goes on from it as this one does; a lagged factor is dropped
/// on loading, as at every jump.
namespace clothlab::simulation {

std::string stateBytes(const Simulation& simulation);
Expected<void> saveState(const Simulation& simulation, const std::string& path, const InputFiles& inputs);
Expected<SavedState> loadState(const std::string& path);

/// A sentence, where settings keep a factor from step to step, which no state has: it is made anew, and last bits may
/// be others than those of a run without a break. Else empty.
std::string lostFactor(const scene::Settings& settings);

/// Builds the scene and takes the state. An Error says what of it has no place in the scene.
Expected<std::unique_ptr<Simulation>> resume(const SavedState& saved, int threads);

/// Empty, or why this state is none of a world: a particle, solid or spring that there is not, a number that is not
/// finite, lists that are not in order.
std::string misfit(const integrators::SimulationState& state, const Simulation& world);

}  // namespace clothlab::simulation
