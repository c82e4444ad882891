#pragma once

#include <string>
#include <string_view>

#include "base/output.hpp"
#include "simulation/simulation.hpp"

/// A simulation in a file: the scene with its active settings and all that decides the future, to the last bit. Another
/// run goes on from it as this one does (a lagged factor apart, which is dropped on loading as at every jump).
///
///     clothlab-state 1        the format's version
///     length, hash            8 bytes each, of what follows
///     name, scene             the scene as TOML, with what was painted; meshes stay in their files
///     hash of each mesh       which must be what they were
///     state                   visitState, member after member
///     hash of the state
namespace clothlab::simulation {

inline constexpr int kStateVersion = 1;

struct SavedState {
    scene::Scene scene;  ///< with the settings that were active
    integrators::SimulationState state;
};

std::string stateBytes(const Simulation& simulation);
/// An Error in words: no state, another version, cut short, changed, a scene or a mesh that cannot be read. Whether the
/// state fits the scene, resume says.
Expected<SavedState> readStateBytes(std::string_view bytes, const std::string& file);

Expected<void> saveState(const Simulation& simulation, const std::string& path, const InputFiles& inputs);
Expected<SavedState> loadState(const std::string& path);

/// Builds the scene and takes the state. An Error says what of it has no place in the scene.
Expected<std::unique_ptr<Simulation>> resume(const SavedState& saved, int threads);

/// Empty, or why this state is none of a world: a particle, solid or spring that there is not, a number that is not
/// finite, lists that are not in order.
std::string misfit(const integrators::SimulationState& state, const Simulation& world);

}  // namespace clothlab::simulation
