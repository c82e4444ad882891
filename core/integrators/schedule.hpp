#pragma once

#include "integrators/settings.hpp"
#include "integrators/state/state.hpp"
#include "integrators/traits.hpp"

/// The length of steps (step schedules).
namespace clothlab::integrators {

/// Length of the step after the state, s.
///     alternate   dt_min after states of even number, dt after the others
///     sine        dt_min^(1-w) dt^w, w = (1 - cos(2 pi n / 100)) / 2
///     adaptive    as determined by earlier steps and kept in the state, at most dt
double stepLength(const IntegratorSettings& settings, const SimulationState& state);

/// Whether an adaptive schedule repeats a step: it failed, or stretched a spring by more than 10 % ([Baraff and
/// Witkin]). Not below dt_min.
bool takesAgain(const IntegratorSettings& settings, double dt, bool failed, double maxStrain);

/// Half of dt, at least dt_min: the next attempt.
double shorter(const IntegratorSettings& settings, double dt);

/// Updates the adaptive schedule in the state after a step of length dt with `rejected` earlier attempts. Also drops
/// the factor under a method that has none.
void remember(const IntegratorSettings& settings, double dt, int rejected, SimulationState& state);

/// Whether a step of h (s) of a two-step method has no second state: one backward Euler step comes first.
bool startsAnew(const StepCoefficients& coefficients, const SimulationState& state, double h);

/// The time at which the wind of a step of h (s) from `state` is evaluated, s.
double windTime(const StepCoefficients& coefficients, const SimulationState& state, double h);

}  // namespace clothlab::integrators
