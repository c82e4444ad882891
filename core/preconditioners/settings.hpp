#pragma once

#include "base/fields.hpp"
#include "factors/ordering.hpp"
#include "linalg/precision.hpp"

namespace clothlab::preconditioners {

enum class PreconditionerKind : int {
    Identity,
    Jacobi,
    BlockJacobi,
    ConstrainedBlock,
    Ssor,
    IncompleteCholesky,
    IncompletePoisson,
    MatrixCore,
    LaggedCholesky,
    Chebyshev,
};

/// Key, label and help of each kind, from the rows of the catalogue (catalogue.hpp).
std::span<const EnumEntry> enumTable(PreconditionerKind);

/// By what a method divides and which of its printed forms runs.
enum class Variant : int { Block, Point, Published };

inline constexpr std::array kVariants{
    EnumEntry{int(Variant::Block), "block", "3x3 blocks",
              "By the 3x3 diagonal block of each particle: what works on stiff cloth."},
    EnumEntry{int(Variant::Point), "point", "single unknowns",
              "By the diagonal alone. SSOR and incomplete Poisson: scaled by it; matrix core: what is outside of the "
              "core leaves "
              "only its diagonal there; constrained block: the diagonal of the constrained blocks."},
    EnumEntry{int(Variant::Published), "published", "as published",
              "SSOR: point, with omega = 1/max(1, largest entry of L), which depends on units. Incomplete Poisson: H "
              "H', without a "
              "scale. Matrix core: as by single unknowns. Constrained block: SC + I - S, not symmetric, with the same "
              "iterates."},
};
constexpr std::span<const EnumEntry> enumTable(Variant) { return kVariants; }

enum class PoissonProduct : int { Backward, Forward };

inline constexpr std::array kPoissonProducts{
    EnumEntry{int(PoissonProduct::Backward), "backward", "H H'", "The published order."},
    EnumEntry{int(PoissonProduct::Forward), "forward", "H' H", "The other order: within a few percent."},
};
constexpr std::span<const EnumEntry> enumTable(PoissonProduct) { return kPoissonProducts; }

/// What an incomplete factorization does about a pivot that is not positive.
enum class BreakdownCure : int { Shift, Compensate };

inline constexpr std::array kBreakdownCures{
    EnumEntry{int(BreakdownCure::Shift), "shift", "shift (Manteuffel)",
              "Adds a small multiple of the diagonal blocks and tries again; usually none is needed."},
    EnumEntry{int(BreakdownCure::Compensate), "compensate", "compensate (Ajiz-Jennings)",
              "Adds what it drops to the diagonal: never breaks down, and needs 3 to 7 times the iterations."},
};
constexpr std::span<const EnumEntry> enumTable(BreakdownCure) { return kBreakdownCures; }

/// Which matrix is factored.
enum class FactorOf : int { Matrix, Core };

inline constexpr std::array kFactorsOf{
    EnumEntry{int(FactorOf::Matrix), "matrix", "whole matrix", "All implicit springs."},
    EnumEntry{int(FactorOf::Core), "core", "core alone", "The stretch springs, and everything else's diagonal blocks."},
};
constexpr std::span<const EnumEntry> enumTable(FactorOf) { return kFactorsOf; }

/// Where vectors change between the order of the matrix and that of a factor ([Y] §6).
enum class Permute : int { Each, Once };

inline constexpr std::array kPermutes{
    EnumEntry{int(Permute::Each), "each", "r and z, each time",
              "Each application takes r into the factor's order and z back."},
    EnumEntry{int(Permute::Once), "once", "the system, once",
              "Matrix and right-hand side are put into the factor's order before the first iteration, the solution "
              "back after the last."},
};
constexpr std::span<const EnumEntry> enumTable(Permute) { return kPermutes; }

struct PreconditionerSettings {
    PreconditionerKind kind = PreconditionerKind::BlockJacobi;
    Variant variant = Variant::Block;                      ///< constrained-block, ssor, incomplete-poisson, matrix-core
    factors::Ordering ordering = factors::Ordering::Best;  ///< incomplete-cholesky, matrix-core, lagged-cholesky
    double omega = 1.0;                                    ///< ssor, in (0, 2)
    PoissonProduct product = PoissonProduct::Backward;     ///< incomplete-poisson
    FactorOf factorOf = FactorOf::Matrix;                  ///< incomplete-cholesky, lagged-cholesky
    int fillLevel = 0;                                     ///< incomplete-cholesky: 0 or 1
    int domains = 0;                                       ///< ssor, incomplete-cholesky: 0 = by the number of rows
    BreakdownCure breakdown = BreakdownCure::Shift;        ///< incomplete-cholesky
    linalg::Precision precision =
        linalg::Precision::Single;    ///< ssor, incomplete-cholesky, incomplete-poisson, matrix-core: of the factor
    Permute permute = Permute::Each;  ///< matrix-core
    bool shearInCore = false;         ///< whatever is built from the core
    int maxAge = 20;                  ///< lagged-cholesky, steps
    int patience = 15;                ///< lagged-cholesky, iterations
    int degree = 6;                   ///< chebyshev

    bool operator==(const PreconditionerSettings&) const = default;
};

void describe(PreconditionerSettings& s, FieldList& list);

}  // namespace clothlab::preconditioners
