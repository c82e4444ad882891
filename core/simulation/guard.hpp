#pragma once

#include <string>

#include "cloth/forces.hpp"
#include "integrators/settings.hpp"
#include "integrators/state/state.hpp"

/// The guard: states that a step may not end in, and what a user can change.
namespace clothlab::simulation {

/// Empty, or why a state is unreasonable: numbers that are not finite, a spring at eleven times its length or more, a
/// particle above 1000 m/s. One sentence that names the step.
std::string divergence(const integrators::SimulationState& candidate, const cloth::ForceModel::Energies& energies);

/// The part of it that needs no energies: contact skips a candidate that is unreasonable already.
std::string divergence(const integrators::SimulationState& candidate);

/// What to change after a failed step. One sentence.
std::string suggestCure(const integrators::IntegratorSettings& settings, const cloth::ForceModel& forces);

}  // namespace clothlab::simulation
