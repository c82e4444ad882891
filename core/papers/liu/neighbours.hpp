#pragma once

#include "papers/stepped_system.hpp"

/// What [L] argues against, and what its section 6 leaves to do.
namespace clothlab::papers::liu {

/// A scene stepped by another integrator, with so many iterations where it has some; Newton and the solver go to the
/// last digits.
Expected<std::unique_ptr<Simulation>> toLastDigits(const char* scene, int side, integrators::IntegratorKind kind,
                                                   int iterations, double velocityKept, Job& job);

/// The stretch of a hanging sheet over the number of iterations: position based methods against local/global.
Expected<Reproduction> pbdStiffness(Job& job);
/// The energy of an undamped swing: local/global toward backward Euler and toward the implicit midpoint rule.
Expected<Reproduction> midpoint(Job& job);

}  // namespace clothlab::papers::liu
