#pragma once

#include "integrators/settings.hpp"
#include "integrators/state/state.hpp"
#include "integrators/traits.hpp"

/// How long a step is (step schedules).
namespace clothlab::integrators {

/// Length of the step that follows the state, s.
///     alternate   dt_min after states of even number, dt after the others
///     sine        dt_min^(1-w) dt^w, w = (1 - cos(2 pi n / 100)) / 2
///     adaptive    what the steps before have left in the state, at most dt
double stepLength(const IntegratorSettings& settings, const SimulationState& state);

/// Whether an adaptive schedule takes a step again: it failed, or stretched a spring by more than 10 % ([Baraff and
/// Witkin]). Not below dt_min.
bool takesAgain(const IntegratorSettings& settings, double dt, bool failed, double maxStrain);

/// The half of dt, dt_min at least: the next attempt.
double shorter(const IntegratorSettings& settings, double dt);

/// What an adaptive schedule remembers of a step of length dt that was taken after `rejected` attempts; nothing else
/// does. A factor is forgotten under a method that has none.
void remember(const IntegratorSettings& settings, double dt, int rejected, SimulationState& state);

/// A step of h (s) of a method of two steps has no second state to look back on: one backward Euler step comes first.
bool startsAnew(const StepCoefficients& coefficients, const SimulationState& state, double h);

/// When the wind of a step of h (s) from `state` is taken, s.
double windTime(const StepCoefficients& coefficients, const SimulationState& state, double h);

}  // namespace clothlab::integrators
