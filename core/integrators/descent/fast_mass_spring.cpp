#include "integrators/descent/fast_mass_spring.hpp"

namespace clothlab::integrators {

void FastMassSpring::begin(StepObjective& objective, const linalg::BlockVector& x, WorkerPool& pool) {
    acceleration_ = FixedPointAcceleration(own().acceleration, own().chebyshevRho);
    if (own().acceleration != Acceleration::None) value_ = objective.value(x, pool);
}

int FastMassSpring::next(const Iteration& now) {
    const int solves = matrix_.solve(now.objective, now.descent, increment_, now.pool);
    if (solves == 0) return 0;
    const bool proposed = acceleration_.propose(now.x, increment_, now.next, now.pool);
    if (own().acceleration == Acceleration::None) return solves;
    double reached = now.objective.value(now.next, now.pool);
    if (proposed && !(reached <= value_)) {  // the safeguard: the plain iterate never rises
        acceleration_.restart();
        now.next.flat() = now.x.flat() + increment_.flat();
        reached = now.objective.value(now.next, now.pool);
    }
    value_ = reached;
    return solves;
}

}  // namespace clothlab::integrators
