#include "integrators/two_steps.hpp"

#include "linalg/dof_constraints.hpp"

namespace clothlab::integrators {

void computePast(const SimulationState& state, double dt, const Vec3& gravity, std::span<const double> mass,
                 linalg::BlockVector& deltaX, linalg::BlockVector& deltaV, WorkerPool& pool) {
    const Index n = state.x.size();
    for (linalg::BlockVector* v : {&deltaX, &deltaV})
        if (v->size() != n) v->resize(n);
    parallelRows(pool, n, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            deltaX[i] = state.x[i] - state.xPrevious[i];
            deltaV[i] = state.v[i] - state.vPrevious[i];
        }
    });
    if (!state.deltaV.empty())
        for (const Index i : state.collided) deltaV[i] = state.deltaV[i];
    for (const contact::ParticleContact& c : state.contacts.contacts) {
        const Index i = c.particle;
        const Mat3 free = contact::freeDirections(c);
        const Vec3 change = state.v[i] - state.vPrevious[i];
        if ((change - free * change).norm() > dt * gravity.norm()) deltaV[i] -= dt / mass[i] * c.force;
        deltaX[i] = free * deltaX[i] + dt * (state.v[i] - free * state.v[i]);
        deltaV[i] = free * deltaV[i];
    }
}

}  // namespace clothlab::integrators
