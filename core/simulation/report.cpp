#include "simulation/report.hpp"

namespace clothlab::simulation {

bool StepMethods::sameAs(const StepMethods& other) const {
    if (integrator != other.integrator) return false;
    if (!usesSolver()) return true;
    return solver == other.solver &&
           (!solvers::usesPreconditioner(solver.kind) || preconditioner == other.preconditioner);
}

}  // namespace clothlab::simulation
