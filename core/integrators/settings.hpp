#pragma once

#include <string>

#include "base/fields.hpp"

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
};

inline constexpr std::array kIntegratorKinds{
    EnumEntry{int(IntegratorKind::ForwardEuler), "forward-euler", "Forward Euler",
              "Explicit, first order: gains energy at any time step. The guard stops it."},
    EnumEntry{int(IntegratorKind::Rk4), "rk4", "Runge-Kutta 4", "Explicit, fourth order; stable while |h w| < 2.8."},
    EnumEntry{
        int(IntegratorKind::SymplecticEuler), "symplectic-euler", "Symplectic Euler",
        "Explicit, first order (forward-backward Euler): keeps energy bounded below its limit, explodes above it."},
    EnumEntry{int(IntegratorKind::LinearizedBackwardEuler), "linearized-backward-euler", "Linearized backward Euler",
              "Implicit, first order, one linear solve a step: stable, and damps."},
    EnumEntry{int(IntegratorKind::Bdf2), "bdf2", "BDF2",
              "Implicit, second order, two steps, one linear solve: damps far less than backward Euler."},
    EnumEntry{int(IntegratorKind::ImexEuler), "imex-euler", "IMEX Euler",
              "Implicit and explicit: the terms of the split below in one linear solve, the others by their force "
              "alone. Fewer "
              "blocks in the matrix; the explicit part limits the step."},
    EnumEntry{int(IntegratorKind::AdaptiveImex), "adaptive-imex", "Adaptive IMEX",
              "Each spring is implicit only where its stiffness, damping and the step ask for it (Boxerman)."},
    EnumEntry{int(IntegratorKind::Sbdf2), "sbdf2", "SBDF2",
              "Second-order IMEX: explicit forces are extrapolated. An explicit oscillation without damping grows, "
              "slowly, at "
              "any step."},
    EnumEntry{int(IntegratorKind::AdaptiveSbdf2), "adaptive-sbdf2", "Adaptive SBDF2",
              "Second-order IMEX in which only springs with enough damping are explicit, so that nothing grows."},
};
constexpr std::span<const EnumEntry> enumTable(IntegratorKind) { return kIntegratorKinds; }

constexpr bool isImplicit(IntegratorKind kind) { return kind >= IntegratorKind::LinearizedBackwardEuler; }
/// Picks the explicit springs in every step.
constexpr bool isAdaptive(IntegratorKind kind) {
    return kind == IntegratorKind::AdaptiveImex || kind == IntegratorKind::AdaptiveSbdf2;
}
constexpr bool isSbdf2(IntegratorKind kind) {
    return kind == IntegratorKind::Sbdf2 || kind == IntegratorKind::AdaptiveSbdf2;
}
/// Has a split by families.
constexpr bool isSplit(IntegratorKind kind) {
    return kind == IntegratorKind::ImexEuler || kind == IntegratorKind::Sbdf2;
}
/// How many states a step looks back on.
constexpr int stepsOf(IntegratorKind kind) { return kind == IntegratorKind::Bdf2 || isSbdf2(kind) ? 2 : 1; }

/// Which terms of a family of springs are implicit.
enum class SplitTerms : int { Implicit, Explicit, ElasticImplicit, DampingImplicit };
inline constexpr std::array kSplitTerms{
    EnumEntry{int(SplitTerms::Implicit), "implicit", "implicit", "Stiffness and damping enter the matrix."},
    EnumEntry{int(SplitTerms::Explicit), "explicit", "explicit", "Neither does: only the force counts."},
    EnumEntry{int(SplitTerms::ElasticImplicit), "elastic", "elastic implicit",
              "Stiffness enters the matrix, damping does not."},
    EnumEntry{int(SplitTerms::DampingImplicit), "damping", "damping implicit",
              "Damping enters the matrix, stiffness does not (Bridson): pays where damping is the stiffer of the two."},
};
constexpr std::span<const EnumEntry> enumTable(SplitTerms) { return kSplitTerms; }

enum class AimexRule : int { Safe, Paper };
inline constexpr std::array kAimexRules{
    EnumEntry{int(AimexRule::Safe), "safe", "safe",
              "Boxerman's test, and the sum over a particle's explicit springs: stable by the theorem. Stiff bend is "
              "implicit."},
    EnumEntry{int(AimexRule::Paper), "paper", "as in the paper",
              "Boxerman's test spring by spring, bend always explicit: diverges where bend is stiff."},
};
constexpr std::span<const EnumEntry> enumTable(AimexRule) { return kAimexRules; }

/// How the step goes with time.
enum class DtSchedule : int { Fixed, Alternate, Sine, Adaptive };
inline constexpr std::array kDtSchedules{
    EnumEntry{int(DtSchedule::Fixed), "fixed", "fixed", "Every step has the length dt."},
    EnumEntry{int(DtSchedule::Alternate), "alternate", "alternating",
              "dt_min and dt in turn: springs change sides at every step."},
    EnumEntry{int(DtSchedule::Sine), "sine", "smooth",
              "Between dt_min and dt and back in 100 steps, evenly in the logarithm."},
    EnumEntry{int(DtSchedule::Adaptive), "adaptive", "adaptive",
              "A step that stretches a spring by more than 10 %, or whose solve fails, is taken again at half the "
              "length, down "
              "to dt_min; after ten good ones it grows by a fifth, up to dt."},
};
constexpr std::span<const EnumEntry> enumTable(DtSchedule) { return kDtSchedules; }

struct IntegratorSettings {
    IntegratorKind kind = IntegratorKind::LinearizedBackwardEuler;
    double dt = 0.01;  ///< s
    DtSchedule dtSchedule = DtSchedule::Fixed;
    double dtMin = 0.001;  ///< s; schedules other than fixed
    int substeps = 0;      ///< explicit integrators; 0 = auto: divides dt until their own limit holds, at most 256
    SplitTerms splitStretch = SplitTerms::Implicit, splitShear = SplitTerms::Explicit,
               splitBend = SplitTerms::Explicit;  ///< [Y]
    double aimexThreshold = 0.2;                  ///< of (h/m)(h k + 2 d), dimensionless
    AimexRule aimexRule = AimexRule::Safe;

    bool operator==(const IntegratorSettings&) const = default;
};

void describe(IntegratorSettings& s, FieldList& list);

/// Why this method does not go with this schedule; empty if it does.
std::string scheduleRefusal(IntegratorKind kind, DtSchedule schedule);

enum class GrabMode : int { Constraint, Spring };
inline constexpr std::array kGrabModes{
    EnumEntry{int(GrabMode::Constraint), "constraint", "constraint",
              "The grabbed particle goes where the pointer is: ndof 0, and the z that brings it there."},
    EnumEntry{int(GrabMode::Spring), "spring", "spring", "A damped implicit spring pulls the particle to the pointer."},
};
constexpr std::span<const EnumEntry> enumTable(GrabMode) { return kGrabModes; }

/// How the mouse holds the cloth.
struct GrabSettings {
    GrabMode mode = GrabMode::Constraint;
    double maxSpeed = 5;     ///< m/s: the grabbed particle moves toward the pointer no faster
    double stiffness = 200;  ///< N/m, mode spring
    double damping = 1;      ///< N s/m, mode spring

    bool operator==(const GrabSettings&) const = default;
};

void describe(GrabSettings& s, FieldList& list);

}  // namespace clothlab::integrators
