#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "simulation/simulation.hpp"

/// Changes of settings that let a failed step succeed: tried, not guessed.
namespace clothlab::simulation {

/// A setting with which the failed step succeeds.
struct Cure {
    std::string words;                        ///< sentences for the user: the finding, or that nothing was found
    std::string assignment;                   ///< "integrator.active_set=3"; empty: none was found
    std::optional<scene::Settings> settings;  ///< the settings with it
};

/// After a step of `simulation` that diverged or whose solve failed: checks its last good state for possible causes
/// (cloth inside a solid, fast pins), and takes the failed step, and some more, on copies with one setting changed
/// each, until one succeeds. Costs a few steps; ends early, without a cure, when `stop` is requested.
Cure findCure(const Simulation& simulation, const std::stop_token& stop = {});

/// The message of the failed step, with the result of the trials instead of the untested advice.
std::string withCure(const StepReport& report, const Cure& cure);

/// Surprising facts about the start of a scene: particles inside solids, meshes thinner than their field. One sentence
/// each.
std::vector<std::string> findWarnings(const cloth::ClothModel& model, std::span<const contact::Collider> colliders,
                                      const integrators::SimulationState& state);

}  // namespace clothlab::simulation
