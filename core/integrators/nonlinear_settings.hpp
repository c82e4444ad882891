#pragma once

#include "base/fields.hpp"

/// Settings of the methods that solve the implicit step as an optimisation (methods §12; [L]).
namespace clothlab::integrators {

/// Newton's matrix.
enum class NewtonHessian : int { Clamped, Exact, Blended };
std::span<const EnumEntry> enumTable(NewtonHessian);

enum class NewtonMatrix : int { EachIteration, First };
std::span<const EnumEntry> enumTable(NewtonMatrix);

/// The tolerance of each linear solve.
enum class NewtonTolerance : int { Fixed, Inexact };
std::span<const EnumEntry> enumTable(NewtonTolerance);

struct NewtonSettings {
    int maxIterations = 50;
    double tolerance = 1e-4;  ///< of |S grad g|, relative to that of the start
    NewtonHessian hessian = NewtonHessian::Clamped;
    NewtonMatrix matrix = NewtonMatrix::EachIteration;
    NewtonTolerance inner = NewtonTolerance::Fixed;
    int bootstrap = 0;  ///< local/global iterations before the first Newton step

    bool operator==(const NewtonSettings&) const = default;
};
void describe(NewtonSettings& s, FieldList& list);

enum class Acceleration : int { None, Chebyshev, Anderson };
std::span<const EnumEntry> enumTable(Acceleration);

/// Local/global, and the other methods that minimize the step's energy by the prefactored matrix.
struct FastMassSpringSettings {
    int iterations = 10;
    Acceleration acceleration = Acceleration::None;
    double chebyshevRho = 0.98;  ///< estimate of the spectral radius of the plain iteration
    int lbfgsPairs = 5;          ///< m: the number of iterations that L-BFGS remembers
    double velocityKept = 1;     ///< alpha of the ether drag, per step ([L] §4.1)

    bool operator==(const FastMassSpringSettings&) const = default;
};
void describe(FastMassSpringSettings& s, FieldList& list);

/// Vertex block descent.
struct VbdSettings {
    int iterations = 20;
    bool halving = true;
    bool chebyshev = false;
    double chebyshevRho = 0.9;

    bool operator==(const VbdSettings&) const = default;
};
void describe(VbdSettings& s, FieldList& list);

/// Position based dynamics.
struct PbdSettings {
    int iterations = 20, substeps = 1;
    double stiffness = 1, bendStiffness = 0.1;  ///< the fractions of its violation that a spring loses in a step

    /// The fraction per pass: after all of them a single spring has lost `stiffness`.
    double sharePerPass(double stiffness) const;

    bool operator==(const PbdSettings&) const = default;
};
void describe(PbdSettings& s, FieldList& list);

/// Its extended form, whose stiffness is the material's.
struct XpbdSettings {
    int iterations = 1, substeps = 10;

    bool operator==(const XpbdSettings&) const = default;
};
void describe(XpbdSettings& s, FieldList& list);

}  // namespace clothlab::integrators
