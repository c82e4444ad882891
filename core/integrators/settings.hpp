#pragma once

#include <string>

#include "base/fields.hpp"
#include "integrators/nonlinear_settings.hpp"

namespace clothlab::integrators {

/// Values are in kind.hpp, so that adding one recompiles little.
enum class IntegratorKind : int;
inline constexpr IntegratorKind kUsualIntegrator{3};
/// Key, label and help of each kind, from the catalogue (methods/catalogue.hpp).
std::span<const EnumEntry> enumTable(IntegratorKind);

/// Whether its steps solve linear systems by the chosen solver; traits.hpp has the other properties of a kind.
bool usesSolver(IntegratorKind kind);
/// Empty, or the reason why not, as a sentence for the user.
std::string whyNoSolver(IntegratorKind kind);
/// Why it does not support materials with a membrane of triangles; empty if it does.
std::string whyNoMembrane(IntegratorKind kind);

/// The implicit terms of a family of springs.
enum class SplitTerms : int { Implicit, Explicit, ElasticImplicit, DampingImplicit };
std::span<const EnumEntry> enumTable(SplitTerms);

enum class AimexRule : int { Safe, Paper };
std::span<const EnumEntry> enumTable(AimexRule);

/// The step length over time.
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
    int activeSet = 0;  ///< most repeats of a linear step whose result makes springs taut or slack; 0 = off
    NewtonSettings newton;
    FastMassSpringSettings fastMassSpring;
    VbdSettings vbd;
    PbdSettings pbd;
    XpbdSettings xpbd;

    bool operator==(const IntegratorSettings&) const = default;
};

void describe(IntegratorSettings& s, FieldList& list);

/// Why this method does not support this schedule; empty if it does.
std::string scheduleRefusal(IntegratorKind kind, DtSchedule schedule);

/// Changes of the motion after the solve, for every method (stages/after_solve.hpp).
struct AfterSolveSettings {
    double strainLimit = 0;   ///< (l - L)/L limit of stretch and shear springs; 0 = none
    int strainPasses = 10;    ///< over all springs, at most
    double rigidDrag = 0;     ///< 1/s, of motion that is not rigid
    double energyBudget = 0;  ///< fraction returned of the energy that a step loses without a force

    bool operator==(const AfterSolveSettings&) const = default;
};

void describe(AfterSolveSettings& s, FieldList& list);

enum class GrabMode : int { Constraint, Spring };
std::span<const EnumEntry> enumTable(GrabMode);

/// The mouse's hold on the cloth.
struct GrabSettings {
    GrabMode mode = GrabMode::Constraint;
    double maxSpeed = 5;       ///< m/s: the grabbed particle moves toward the pointer no faster
    double solidMaxSpeed = 1;  ///< m/s: likewise for a solid
    double maxStretch = 2;     ///< times their length: the pointer lengthens springs of the grabbed particle no further
    double stiffness = 200;    ///< N/m, mode spring
    double damping = 1;        ///< N s/m, mode spring

    bool operator==(const GrabSettings&) const = default;
};

void describe(GrabSettings& s, FieldList& list);

}  // namespace clothlab::integrators
