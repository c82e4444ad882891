#include "integrators/explicit.hpp"
#include "integrators/linearized_backward_euler.hpp"

namespace clothlab::integrators {

std::unique_ptr<Integrator> makeIntegrator(IntegratorKind kind) {
    if (kind == IntegratorKind::LinearizedBackwardEuler) return std::make_unique<LinearizedBackwardEuler>();
    return std::make_unique<ExplicitIntegrator>(kind);
}

}  // namespace clothlab::integrators
