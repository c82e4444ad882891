#pragma once

#include <string>

#include "base/fields.hpp"
#include "integrators/nonlinear_settings.hpp"

namespace clothlab::integrators {

/// Its values stand in kind.hpp, for whoever names one: a new value builds little anew.
enum class IntegratorKind : int;
inline constexpr IntegratorKind kUsualIntegrator{3};
/// Key, label and help of each kind, from the catalogue (methods/catalogue.hpp).
std::span<const EnumEntry> enumTable(IntegratorKind);

/// Whether its steps solve linear systems by the chosen solver; traits.hpp has what else is asked about a kind.
bool usesSolver(IntegratorKind kind);
/// Empty, or why not, in a sentence for the user.
std::string whyNoSolver(IntegratorKind kind);
/// Why it takes no material whose membrane is of triangles; empty if it does.
std::string whyNoMembrane(IntegratorKind kind);

/// Which terms of a family of springs are implicit.
enum class SplitTerms : int { Implicit, Explicit, ElasticImplicit, DampingImplicit };
std::span<const EnumEntry> enumTable(SplitTerms);

enum class AimexRule : int { Safe, Paper };
std::span<const EnumEntry> enumTable(AimexRule);

/// How the step goes with time.
enum class DtSchedule : int { Fixed, Alternate, Sine, Adaptive };
std::span<const EnumEntry> enumTable(DtSchedule);

struct IntegratorSettings {
    IntegratorKind kind = kUsualIntegrator;
    double dt = 0.01;  ///< s
    DtSchedule dtSchedule = DtSchedule::Fixed;
    double dtMin = 0.001;  ///< s; schedules other than fixed
    int substeps = 0;      ///< explicit integrators; 0 = auto: divides dt until their own limit holds, at most 256
    SplitTerms splitStretch = SplitTerms::Implicit, splitShear = SplitTerms::Explicit,
               splitBend = SplitTerms::Explicit;  ///< [Y]
    double aimexThreshold = 0.2;                  ///< of (h/m)(h k + 2 d), dimensionless
    AimexRule aimexRule = AimexRule::Safe;
    int activeSet = 0;  ///< most repeats of a linear step whose candidate finds springs taut or slack; 0 = off
    NewtonSettings newton;
    FastMassSpringSettings fastMassSpring;
    VbdSettings vbd;
    PbdSettings pbd;
    XpbdSettings xpbd;

    bool operator==(const IntegratorSettings&) const = default;
};

void describe(IntegratorSettings& s, FieldList& list);

/// Why this method does not go with this schedule; empty if it does.
std::string scheduleRefusal(IntegratorKind kind, DtSchedule schedule);

/// What changes the motion after the solve, whichever method made it (stages/after_solve.hpp).
struct AfterSolveSettings {
    double strainLimit = 0;   ///< (l - L)/L that stretch and shear springs keep; 0 = none
    int strainPasses = 10;    ///< over all springs, at most
    double rigidDrag = 0;     ///< 1/s, of what is not rigid motion
    double energyBudget = 0;  ///< share of the energy that a step loses without a force for it, which it gets back

    bool operator==(const AfterSolveSettings&) const = default;
};

void describe(AfterSolveSettings& s, FieldList& list);

enum class GrabMode : int { Constraint, Spring };
std::span<const EnumEntry> enumTable(GrabMode);

/// How the mouse holds the cloth.
struct GrabSettings {
    GrabMode mode = GrabMode::Constraint;
    double maxSpeed = 5;       ///< m/s: the grabbed particle moves toward the pointer no faster
    double solidMaxSpeed = 1;  ///< m/s: the same of a solid
    double maxStretch = 2;     ///< times their length: the pointer lengthens springs of the grabbed particle no further
    double stiffness = 200;    ///< N/m, mode spring
    double damping = 1;        ///< N s/m, mode spring

    bool operator==(const GrabSettings&) const = default;
};

void describe(GrabSettings& s, FieldList& list);

}  // namespace clothlab::integrators
