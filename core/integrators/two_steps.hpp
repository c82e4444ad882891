#pragma once

#include <span>

#include "base/worker_pool.hpp"
#include "integrators/state/state.hpp"

namespace clothlab::integrators {

/// dx_p = x_n - x_(n-1) (m) and dv_p (m/s): the memory of a two-step method of the previous step, of dt (s).
/// `mass` (kg) has one entry per particle.
///
/// An impact is not smooth, and a third of its jump in velocity would come back as a bounce. So the past is that of the
/// smooth part of the motion:
///   - A particle on a solid keeps the past of its free directions. In those removed by the solid it continues as if it
///     had moved with v before: there the method is backward Euler. Where they took more velocity than gravity gives in
///     a step, it was an impact: the past leaves out its friction.
///   - Particles hit by other cloth keep the change of velocity that the solve gave them, without the impulse. Impulses
///     between layers sum to zero, so that the momentum of the past is that of the cloth.
void computePast(const SimulationState& state, double dt, const Vec3& gravity, std::span<const double> mass,
                 linalg::BlockVector& deltaX, linalg::BlockVector& deltaV, WorkerPool& pool);

}  // namespace clothlab::integrators
