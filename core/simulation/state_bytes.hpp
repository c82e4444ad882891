#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "integrators/state/state.hpp"
#include "scene/scene.hpp"
#include "simulation/edits.hpp"
#include "simulation/report.hpp"

/// A simulation as bytes: the scene with its active settings and everything that determines the further motion.
///
///     clothlab-state 1        the format's version
///     length, hash            8 bytes each, of the rest
///     name, scene             the scene as TOML, with the painting; meshes stay in their files
///     hash of each mesh       which must be unchanged
///     state                   visitState, member after member
///     hash of the state
namespace clothlab::simulation {

inline constexpr int kStateVersion = 1;

struct SavedState {
    scene::Scene scene;  ///< with the active settings
    integrators::SimulationState state;
};

/// The pointer's hold is not included.
std::string stateBytes(const scene::Scene& scene, integrators::SimulationState state);
/// An Error as a message: not a state, another version, cut short, changed, a scene or a mesh that cannot be read.
/// `resume` checks whether the state fits the scene (state_file.hpp).
Expected<SavedState> readStateBytes(std::string_view bytes, const std::string& file);

/// Name and content hash of each mesh that the scene takes from a file.
std::vector<std::pair<std::string, std::uint64_t>> meshHashes(const scene::Scene& scene);

/// User actions on a copy of a simulation in another program, for the original simulation.
struct HandOver {
    std::string state = {};                ///< stateBytes of the copy; empty: unchanged
    std::optional<edits::Hold> hold = {};  ///< the pointer's hold; nullopt: none, and none before

    bool empty() const { return state.empty() && !hold; }
};

/// Data for another program's window: the state, and the report of the step that led to it if there is one.
struct Shown {
    SavedState saved;
    std::optional<StepReport> report = {};  ///< its methods are the settings of the state
};
std::string shownBytes(std::string_view stateBytes, const StepReport* report);
/// Both programs must be of one build. An Error as in readStateBytes.
Expected<Shown> readShown(std::string_view bytes, const std::string& file);

std::string handOverBytes(const HandOver& hand);
/// An Error if the bytes are not a HandOver. readStateBytes checks the state.
Expected<HandOver> readHandOver(std::string_view bytes);

/// A payload with its head, as written by stateBytes and read by readStateBytes.
std::string framed(std::string_view payload);

}  // namespace clothlab::simulation
