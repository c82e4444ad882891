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

/// A simulation as bytes: the scene with its active settings and all that decides the future, to the last bit.
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

/// What the pointer holds is not in it.
std::string stateBytes(const scene::Scene& scene, integrators::SimulationState state);
/// An Error in words: no state, another version, cut short, changed, a scene or a mesh that cannot be read. Whether the
/// state fits the scene, resume says (state_file.hpp).
Expected<SavedState> readStateBytes(std::string_view bytes, const std::string& file);

/// Of each mesh that the scene takes from a file its name and a hash of what is in it.
std::vector<std::pair<std::string, std::uint64_t>> meshHashes(const scene::Scene& scene);

/// What a hand did to a copy of a simulation in another program, for the simulation that it is a copy of.
struct HandOver {
    std::string state = {};                ///< stateBytes of the copy; empty: nothing was done to it
    std::optional<edits::Hold> hold = {};  ///< what the pointer holds now; none: nothing, and nothing before

    bool empty() const { return state.empty() && !hold; }
};

/// What another program's window is to show: the state, and the report of the step that led to it if there is one.
struct Shown {
    SavedState saved;
    std::optional<StepReport> report = {};  ///< its methods are the settings of the state
};
std::string shownBytes(std::string_view stateBytes, const StepReport* report);
/// Both programs are of one build. An Error as readStateBytes has it.
Expected<Shown> readShown(std::string_view bytes, const std::string& file);

std::string handOverBytes(const HandOver& hand);
/// An Error where these are no such bytes. Whether the state is one, readStateBytes says.
Expected<HandOver> readHandOver(std::string_view bytes);

/// A payload with its head, as stateBytes ends and readStateBytes begins.
std::string framed(std::string_view payload);

}  // namespace clothlab::simulation
