#pragma once

#include "integrators/settings.hpp"

namespace clothlab::integrators {

/// The springs of an implicit method without a Jacobian in the matrix.
enum class ExplicitPart : int { None, ByFamily, PickedEachStep };

/// A method with one linear solve, a = implicit h / over, c = acting h / over, (.)_p = (.)_n - (.)_(n-1), phi the
/// explicit forces:
///     (M - a D - a^2 K) dv = past/over M dv_p + c (f + K (past/over dx_p + a v) + extrapolation (phi_n - phi_(n-1)))
///     x' = x + past/over dx_p + c v + a dv
/// Numerators over one denominator, so that a third is rounded once. If c = a, held particles get the end velocity that
/// takes them to their targets; otherwise the mean one, and are moved there.
struct StepCoefficients {
    double over = 1, implicit = 1, acting = 1, past = 0;
    double extrapolation = 0;
    double windAt = 0;  ///< fraction of h after the start of the step at which the wind in f is evaluated
};

struct IntegratorTraits {
    bool implicit = false;      ///< otherwise all forces are explicit
    bool minimizes = false;     ///< the step is the minimum of an energy (descent/step_objective.hpp)
    bool ownMatrix = false;     ///< implicit with its own matrix and factor: the chosen solver is not used
    bool matrixFree = false;    ///< implicit without any linear system
    bool springsAlone = false;  ///< moves the ends of springs, and supports no other law
    bool takesLayers = false;   ///< contact.solve = within: pairs of layers are terms of its matrix or energy
    StepCoefficients coefficients = {};
    ExplicitPart explicitPart = ExplicitPart::None;
    int order = 1;     ///< of the error over the step, on a smooth problem solved to the end; 0: none
    double limit = 0;  ///< explicit methods: of ForceModel::explicitStabilitySum; 0 = stable at no step

    /// The number of earlier states that a step uses.
    int steps() const { return coefficients.past == 0 ? 1 : 2; }
    /// Whether Boxerman's test picks the springs; two-step methods pick by the springs' damping.
    bool picksByCriterion() const { return explicitPart == ExplicitPart::PickedEachStep && steps() == 1; }
};

IntegratorTraits traitsFor(IntegratorKind kind);

/// Why a method does not support after_solve.energy_budget, as a sentence for the user; empty if it does.
std::string whyNoBudget(IntegratorKind kind);

}  // namespace clothlab::integrators
