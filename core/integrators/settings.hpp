#pragma once

#include "base/fields.hpp"

namespace clothlab::integrators {

enum class IntegratorKind : int { ForwardEuler, Rk4, SymplecticEuler, LinearizedBackwardEuler };

inline constexpr std::array kIntegratorKinds{
    EnumEntry{int(IntegratorKind::ForwardEuler), "forward-euler", "Forward Euler",
              "Explicit, first order: gains energy at any time step. The guard stops it."},
    EnumEntry{int(IntegratorKind::Rk4), "rk4", "Runge-Kutta 4", "Explicit, fourth order; stable while |h w| < 2.8."},
    EnumEntry{int(IntegratorKind::SymplecticEuler), "symplectic-euler", "Symplectic Euler",
              "Explicit, first order (forward-backward Euler): keeps energy bounded below its limit, explodes above it."},
    EnumEntry{int(IntegratorKind::LinearizedBackwardEuler), "linearized-backward-euler", "Linearized backward Euler",
              "Implicit, first order, one linear solve a step: stable, and damps."},
};
constexpr std::span<const EnumEntry> enumTable(IntegratorKind) { return kIntegratorKinds; }

struct IntegratorSettings {
    IntegratorKind kind = IntegratorKind::LinearizedBackwardEuler;
    double dt = 0.01;   ///< s
    int substeps = 0;   ///< explicit integrators; 0 = auto: divides dt until their own limit holds, at most 256

    bool operator==(const IntegratorSettings&) const = default;
};

void describe(IntegratorSettings& s, FieldList& list);

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
    double maxSpeed = 5;      ///< m/s: the grabbed particle moves toward the pointer no faster
    double stiffness = 200;   ///< N/m, mode spring
    double damping = 1;       ///< N s/m, mode spring

    bool operator==(const GrabSettings&) const = default;
};

void describe(GrabSettings& s, FieldList& list);

}  // namespace clothlab::integrators
