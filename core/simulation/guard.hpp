#pragma once

#include <string>

#include "cloth/forces.hpp"
#include "integrators/settings.hpp"
#include "integrators/state/state.hpp"

/// The guard: which states a step may not end in, and what a user can change about it.
namespace clothlab::simulation {

/// Empty, or what is beyond reason in a state: numbers that are not finite, a spring at eleven times its length or
/// more, a particle above 1000 m/s. One sentence that names the step.
std::string divergence(const integrators::SimulationState& candidate, const cloth::ForceModel::Energies& energies);

/// The part of it that needs no energies: contact does not look at a candidate that is beyond reason already.
std::string divergence(const integrators::SimulationState& candidate);

/// What to change after a step that failed. One sentence.
std::string cureOf(const integrators::IntegratorSettings& settings, const cloth::ForceModel& forces);

}  // namespace clothlab::simulation
