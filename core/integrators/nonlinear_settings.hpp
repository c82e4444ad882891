#pragma once

#include "base/fields.hpp"
#include "factors/factor_change.hpp"

/// Settings of the methods that take the implicit step as an optimisation (methods §12; [L]).
namespace clothlab::integrators {

/// What Newton's matrix is.
enum class NewtonHessian : int { Clamped, Exact, Blended };
std::span<const EnumEntry> enumTable(NewtonHessian);

enum class NewtonMatrix : int { EachIteration, First };
std::span<const EnumEntry> enumTable(NewtonMatrix);

/// How exactly each linear system is solved.
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

struct FastMassSpringSettings {
    int iterations = 10;
    Acceleration acceleration = Acceleration::None;
    double chebyshevRho = 0.98;  ///< estimate of the spectral radius of the plain iteration
    double velocityKept = 1;     ///< alpha of the ether drag, per step ([L] §4.1)
    factors::FactorChange factorChange = factors::FactorChange::Bordered;

    bool operator==(const FastMassSpringSettings&) const = default;
};
void describe(FastMassSpringSettings& s, FieldList& list);

}  // namespace clothlab::integrators
