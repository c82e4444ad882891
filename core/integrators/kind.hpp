#pragma once

#include "integrators/settings.hpp"

namespace clothlab::integrators {

enum class IntegratorKind : int {
    ForwardEuler,
    Rk4,
    SymplecticEuler,
    LinearizedBackwardEuler,
    Bdf2,
    ImexEuler,
    AdaptiveImex,
    Sbdf2,
    AdaptiveSbdf2,
    NewtonBackwardEuler,
    NewtonBdf2,
    FastMassSpring,
    FastMassSpringMidpoint,
    LBfgs,
    NonlinearCg,
    VertexBlockDescent,
    Pbd,
    Xpbd,
};

static_assert(kUsualIntegrator == IntegratorKind::LinearizedBackwardEuler);

}  // namespace clothlab::integrators
