#pragma once

#include "papers/stepped_system.hpp"

/// The methods that [L] argues against, and the future work of its section 6.
namespace clothlab::papers::liu {

/// A scene stepped by another integrator, with this many iterations if it has any; Newton and the solver iterate to the
/// last digits.
Expected<std::unique_ptr<Simulation>> toLastDigits(const char* scene, int side, integrators::IntegratorKind kind,
                                                   int iterations, double velocityKept, Job& job);

/// The stretch of a hanging sheet over the number of iterations: position based methods against local/global.
Expected<Reproduction> pbdStiffness(Job& job);
/// The energy of an undamped swing: local/global toward backward Euler and toward the implicit midpoint rule.
Expected<Reproduction> midpoint(Job& job);

}  // namespace clothlab::papers::liu
