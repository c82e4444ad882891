#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "simulation/simulation.hpp"

/// What a user can change about a step that has failed: tried, not guessed.
namespace clothlab::simulation {

/// A setting with which the step that failed succeeds.
struct Cure {
    std::string words;                        ///< sentences for the user: what was found, or that nothing was
    std::string assignment;                   ///< "integrator.active_set=3"; empty: nothing was found
    std::optional<scene::Settings> settings;  ///< with it
};

/// After a step of `simulation` that diverged or whose solve failed: looks at its last good state for what may be the
/// cause (cloth inside a solid, fast pins), and takes the step that failed, and some more, on copies with one setting
/// changed each, until one succeeds. Costs a few steps; ends early, without a cure, when `stop` asks for it.
Cure findCure(const Simulation& simulation, const std::stop_token& stop = {});

/// The message of the failed step, with the result of the trials instead of the untested advice.
std::string withCure(const StepReport& report, const Cure& cure);

/// What a scene says of its start that will surprise: particles inside solids, meshes thinner than their field. One
/// sentence each.
std::vector<std::string> warningsOf(const cloth::ClothModel& model, std::span<const contact::Collider> colliders,
                                    const integrators::SimulationState& state);

}  // namespace clothlab::simulation
