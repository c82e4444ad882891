#pragma once

#include "integrators/settings.hpp"

namespace clothlab::integrators {

/// Which springs of an implicit method have no Jacobian in the matrix.
enum class ExplicitPart : int { None, ByFamily, PickedEachStep };

/// A method with one linear solve, a = implicit h / over, c = acting h / over, (.)_p = (.)_n - (.)_(n-1), phi the
/// explicit forces:
///     (M - a D - a^2 K) dv = past/over M dv_p + c (f + K (past/over dx_p + a v) + extrapolation (phi_n - phi_(n-1)))
///     x' = x + past/over dx_p + c v + a dv
/// Numerators over one denominator, so that a third is rounded once. Where c = a held
/// particles get the end velocity that takes them to their targets; else the mean one, and are put there.
struct StepCoefficients {
    double over = 1, implicit = 1, acting = 1, past = 0;
    double extrapolation = 0;
    double windAt = 0;  ///< of h after the start of the step: when the wind is taken that f holds
};

struct IntegratorTraits {
    bool implicit = false;      ///< else all forces are explicit
    bool minimizes = false;     ///< the step is the minimum of an energy (descent/step_objective.hpp)
    bool ownMatrix = false;     ///< implicit with a matrix and factor of its own: the chosen solver has nothing to do
    bool matrixFree = false;    ///< implicit without any linear system
    bool springsAlone = false;  ///< it moves the ends of springs, and takes no other law
    bool takesLayers = false;   ///< contact.solve = within: pairs of layers are terms of its matrix or energy
    StepCoefficients coefficients = {};
    ExplicitPart explicitPart = ExplicitPart::None;
    int order = 1;     ///< of the error over the step, on a smooth problem solved to the end; 0: it has none
    double limit = 0;  ///< explicit methods: of ForceModel::explicitStabilitySum; 0 = stable at no step

    /// How many states a step looks back on.
    int steps() const { return coefficients.past == 0 ? 1 : 2; }
    /// Boxerman's test picks; a method of two steps asks for damping instead.
    bool picksByCriterion() const { return explicitPart == ExplicitPart::PickedEachStep && steps() == 1; }
};

IntegratorTraits traitsOf(IntegratorKind kind);

/// Why after_solve.energy_budget does not go with a method, in a sentence for the user; empty if it does.
std::string whyNoBudget(IntegratorKind kind);

}  // namespace clothlab::integrators
