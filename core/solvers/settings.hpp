#pragma once

#include "base/fields.hpp"
#include "factors/cholmod_factor.hpp"
#include "linalg/free_basis.hpp"

namespace clothlab::solvers {

enum class SolverKind : int { Mpcg, ReducedPcg, Cholesky, EigenLdlt, CombinedLu };
enum class Stopping : int { Residual, PNorm, Absolute };
/// What `tolerance` is: the tolerance itself, or c of c h^2.
enum class ToleranceRule : int { Fixed, StepSquared };
enum class MpcgVariant : int { Corrected, Original };
enum class DirectForm : int { FixedPattern, Reduced };
using factors::Factorization;
using factors::Ordering;

/// Key, label and help of each kind, from the catalogue (catalogue.hpp).
std::span<const EnumEntry> enumTable(SolverKind);

inline constexpr std::array kStoppings{
    EnumEntry{int(Stopping::Residual), "residual", "true residual",
              "|S(b - A dv)| <= tol |S(b - A (I-S) z)|, checked on the true residual: comparable between methods."},
    EnumEntry{int(Stopping::PNorm), "p-norm", "P-norm",
              "r'P^-1 r <= tol^2 b'P^-1 b, the papers' rule: depends on the preconditioner."},
    EnumEntry{int(Stopping::Absolute), "absolute", "absolute",
              "r'P^-1 r <= tol^2 in joule: depends on scene and units (Sideris, Algorithm 1)."},
};
constexpr std::span<const EnumEntry> enumTable(Stopping) { return kStoppings; }

inline constexpr std::array kToleranceRules{
    EnumEntry{int(ToleranceRule::Fixed), "fixed", "as it stands", "The tolerance is the number that is set."},
    EnumEntry{int(ToleranceRule::StepSquared), "step-squared", "c h^2",
              "The number is c, in 1/s^2, of the tolerance c h^2: of the order of a step's error (Boxerman, 5.3.1, "
              "with c = 0.01 and the P-norm)."},
};
constexpr std::span<const EnumEntry> enumTable(ToleranceRule) { return kToleranceRules; }

inline constexpr std::array kMpcgVariants{
    EnumEntry{int(MpcgVariant::Corrected), "corrected", "corrected",
              "Start and right-hand side filtered (Ascher and Boxerman)."},
    EnumEntry{int(MpcgVariant::Original), "original", "original",
              "Baraff and Witkin: starts at z and measures against the filtered b, so it ignores the warm start."},
};
constexpr std::span<const EnumEntry> enumTable(MpcgVariant) { return kMpcgVariants; }

inline constexpr std::array kDirectForms{
    EnumEntry{int(DirectForm::FixedPattern), "fixed-pattern", "fixed pattern",
              "SAS + s(I - S): constraints change values, not places, so that the symbolic factor outlives contacts."},
    EnumEntry{int(DirectForm::Reduced), "reduced", "reduced",
              "U^T A U: held particles leave the matrix; a contact that comes or goes costs a new symbolic factor."},
};
constexpr std::span<const EnumEntry> enumTable(DirectForm) { return kDirectForms; }

struct SolverSettings {
    SolverKind kind = SolverKind::ReducedPcg;
    double tolerance = 1e-3;  ///< dimensionless (with `absolute`: square root of joule)
    ToleranceRule toleranceRule = ToleranceRule::Fixed;
    Stopping stopping = Stopping::Residual;
    int maxIterations = 2000;
    linalg::Precision matrixPrecision =
        linalg::Precision::Double;  ///< of the matrix that conjugate gradients multiply with
    bool warmStart = true;
    MpcgVariant mpcgVariant = MpcgVariant::Corrected;
    linalg::Basis basis = linalg::Basis::Robust;  ///< of the reduced system
    DirectForm form = DirectForm::FixedPattern;
    Ordering ordering = Ordering::Best;
    Factorization factorization = Factorization::Multifrontal;
    bool decompose = false;  ///< each component of the implicit graph by itself
    double cutSpeed = 0;     ///< m/s; with decompose: pairs of less relative speed are cut, 0 = none

    bool operator==(const SolverSettings&) const = default;
};

void describe(SolverSettings& s, FieldList& list);

}  // namespace clothlab::solvers
