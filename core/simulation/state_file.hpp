#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/output.hpp"
#include "simulation/edits.hpp"
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

/// What a hand did to a copy of a simulation in another program, for the simulation that it is a copy of.
struct HandOver {
    std::string state = {};                ///< stateBytes of the copy; empty: nothing was done to it
    std::optional<edits::Hold> hold = {};  ///< what the pointer holds now; none: nothing, and nothing before

    bool empty() const { return state.empty() && !hold; }
};

std::string handOverBytes(const HandOver& hand);
/// An Error where these are no such bytes. Whether the state is one, readStateBytes says.
Expected<HandOver> readHandOver(std::string_view bytes);

}  // namespace clothlab::simulation
