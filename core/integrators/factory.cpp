#include "integrators/explicit.hpp"
#include "integrators/linear_implicit.hpp"

namespace clothlab::integrators {

std::unique_ptr<Integrator> makeIntegrator(const IntegratorSettings& settings) {
    if (isImplicit(settings.kind)) return std::make_unique<LinearImplicit>(settings);
    return std::make_unique<ExplicitIntegrator>(settings.kind);
}

}  // namespace clothlab::integrators
