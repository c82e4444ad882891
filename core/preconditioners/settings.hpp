#pragma once

#include "base/fields.hpp"
#include "factors/ordering.hpp"
#include "linalg/precision.hpp"

namespace clothlab::preconditioners {

/// Values are in kind.hpp, so that adding one recompiles little.
enum class PreconditionerKind : int;
inline constexpr PreconditionerKind kUsualPreconditioner{2};

/// Key, label and help of each kind, from the rows of the catalogue (catalogue.hpp).
std::span<const EnumEntry> enumTable(PreconditionerKind);

/// The divisor of a method, and which of its printed forms is used.
enum class Variant : int { Block, Point, Published };
std::span<const EnumEntry> enumTable(Variant);

enum class PoissonProduct : int { Backward, Forward };
std::span<const EnumEntry> enumTable(PoissonProduct);

/// The cure of an incomplete factorization for a pivot that is not positive.
enum class BreakdownCure : int { Shift, Compensate, Threshold };
std::span<const EnumEntry> enumTable(BreakdownCure);

/// The matrix that is factored.
enum class FactorOf : int { Matrix, Core };
std::span<const EnumEntry> enumTable(FactorOf);

/// When vectors are permuted between the order of the matrix and that of a factor ([Y] §6).
enum class Permute : int { Each, Once };
std::span<const EnumEntry> enumTable(Permute);

/// The factorization of the matrix core.
enum class CoreFactor : int { Cholesky, Ldl };
std::span<const EnumEntry> enumTable(CoreFactor);

/// The coarse space that supplements the preconditioner.
enum class Deflation : int { None, Aggregates };
std::span<const EnumEntry> enumTable(Deflation);

/// The vectors of each aggregate.
enum class CoarseVectors : int { Rigid, Translations };
std::span<const EnumEntry> enumTable(CoarseVectors);

struct PreconditionerSettings {
    PreconditionerKind kind = kUsualPreconditioner;
    Variant variant = Variant::Block;                      ///< constrained-block, ssor, incomplete-poisson, matrix-core
    factors::Ordering ordering = factors::Ordering::Best;  ///< incomplete-cholesky, matrix-core, lagged-cholesky
    double omega = 1.0;                                    ///< ssor, in (0, 2)
    PoissonProduct product = PoissonProduct::Backward;     ///< incomplete-poisson
    FactorOf factorOf = FactorOf::Matrix;                  ///< incomplete-cholesky, lagged-cholesky
    int fillLevel = 0;                                     ///< incomplete-cholesky: 0 or 1
    double dropTolerance = 0;                              ///< incomplete-cholesky: 0 = by the pattern of the matrix
    bool keepPattern = false;                              ///< incomplete-cholesky with a drop tolerance
    double fillLimit = 2;                                  ///< ... times the blocks of the matrix
    int domains = 0;                                       ///< ssor, incomplete-cholesky: 0 = by the number of rows
    BreakdownCure breakdown = BreakdownCure::Threshold;    ///< incomplete-cholesky
    linalg::Precision precision =
        linalg::Precision::Single;  ///< ssor, incomplete-cholesky, incomplete-poisson, matrix-core: of the factor
    CoreFactor coreFactor = CoreFactor::Cholesky;        ///< matrix-core
    Permute permute = Permute::Each;                     ///< matrix-core
    bool shearInCore = false;                            ///< all methods built from the core
    bool contactInCore = true;                           ///< the same
    std::uint8_t coreBits() const;                       ///< of linalg::CoreMask
    int maxAge = 20;                                     ///< lagged-cholesky, steps
    int patience = 15;                                   ///< lagged-cholesky, iterations
    int degree = 6;                                      ///< chebyshev
    Deflation deflation = Deflation::None;               ///< with any symmetric one
    CoarseVectors coarseVectors = CoarseVectors::Rigid;  ///< of a deflation
    int aggregateSize = 0;                               ///< of a deflation, particles: 0 = by the number of rows

    bool operator==(const PreconditionerSettings&) const = default;
};

void describe(PreconditionerSettings& s, FieldList& list);

}  // namespace clothlab::preconditioners
