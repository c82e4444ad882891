#pragma once

#include "base/fields.hpp"
#include "factors/cholmod_factor.hpp"
#include "linalg/free_basis.hpp"
#include "linalg/storage.hpp"

namespace clothlab::solvers {

/// Values are in kind.hpp, so that adding one recompiles little.
enum class SolverKind : int;
inline constexpr SolverKind kUsualSolver{1};
enum class Stopping : int { Residual, PNorm, Absolute };
/// The meaning of `tolerance`: the tolerance itself, or c of c h^2.
enum class ToleranceRule : int { Fixed, StepSquared };
enum class MpcgVariant : int { Corrected, Original };
/// The reaction of conjugate gradients to a negative p'Ap or r'P^-1 r.
enum class Indefinite : int { Stop, GoOn };
enum class DirectForm : int { FixedPattern, Reduced };
using factors::Factorization;
using factors::Ordering;

/// Key, label and help of each kind, from the catalogue (catalogue.hpp).
std::span<const EnumEntry> enumTable(SolverKind);
std::span<const EnumEntry> enumTable(Stopping);
std::span<const EnumEntry> enumTable(ToleranceRule);
std::span<const EnumEntry> enumTable(MpcgVariant);
std::span<const EnumEntry> enumTable(DirectForm);
std::span<const EnumEntry> enumTable(Indefinite);

struct SolverSettings {
    SolverKind kind = kUsualSolver;
    double tolerance = 1e-3;  ///< dimensionless (with `absolute`: square root of joule)
    ToleranceRule toleranceRule = ToleranceRule::Fixed;
    Stopping stopping = Stopping::Residual;
    int maxIterations = 2000;
    linalg::Precision matrixPrecision =
        linalg::Precision::Double;                          ///< of the matrix in products of conjugate gradients
    linalg::Storage matrixStorage = linalg::Storage::Half;  ///< of that matrix
    bool warmStart = true;
    Indefinite indefinite = Indefinite::Stop;
    MpcgVariant mpcgVariant = MpcgVariant::Corrected;
    linalg::Basis basis = linalg::Basis::Robust;  ///< of the reduced system
    DirectForm form = DirectForm::FixedPattern;
    Ordering ordering = Ordering::Best;
    Factorization factorization = Factorization::Multifrontal;
    int domains = 0;         ///< interface: 0 = by the number of rows
    bool decompose = false;  ///< solve each component of the implicit graph separately
    double cutSpeed = 0;     ///< m/s; with decompose: pairs of less relative speed are cut, 0 = none

    bool operator==(const SolverSettings&) const = default;
};

void describe(SolverSettings& s, FieldList& list);

}  // namespace clothlab::solvers
