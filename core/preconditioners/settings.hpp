#pragma once

#include "base/fields.hpp"
#include "linalg/cholmod_factor.hpp"

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
};

inline constexpr std::array kPreconditionerKinds{
    EnumEntry{int(PreconditionerKind::Identity), "identity", "Identity", "No preconditioner: plain conjugate gradients."},
    EnumEntry{int(PreconditionerKind::Jacobi), "jacobi", "Jacobi", "The inverse of the diagonal of the matrix."},
    EnumEntry{int(PreconditionerKind::BlockJacobi), "block-jacobi", "Block Jacobi",
              "The inverse of the 3x3 diagonal blocks, one a particle."},
    EnumEntry{int(PreconditionerKind::ConstrainedBlock), "constrained-block", "Constrained block",
              "Block Jacobi of the constrained matrix SAS + s(I - S): knows which directions a contact has removed."},
    EnumEntry{int(PreconditionerKind::Ssor), "ssor", "SSOR", "One symmetric sweep of over-relaxed Gauss-Seidel."},
    EnumEntry{int(PreconditionerKind::IncompleteCholesky), "incomplete-cholesky", "Incomplete Cholesky",
              "IC(0): a Cholesky factor that keeps the entries that the matrix has, and drops the fill."},
    EnumEntry{int(PreconditionerKind::IncompletePoisson), "incomplete-poisson", "Incomplete Poisson",
              "An approximate inverse that is two products instead of two solves (Ament, Sideris). As published it stalls on "
              "stiff cloth: by single unknowns its factors are singular there; by 3x3 blocks they are not."},
    EnumEntry{int(PreconditionerKind::MatrixCore), "matrix-core", "Matrix core",
              "A Cholesky factor of the stretch springs and of everything else's diagonal blocks (Ye): hardly an iteration, "
              "whatever the stretch stiffness. Stiff shear undoes it."},
};
constexpr std::span<const EnumEntry> enumTable(PreconditionerKind) { return kPreconditionerKinds; }

/// The order in which an incomplete factor eliminates the particles.
enum class RowOrder : int { Natural, ReverseCuthillMcKee, NestedDissection };

inline constexpr std::array kRowOrders{
    EnumEntry{int(RowOrder::Natural), "natural", "natural", "As the particles are numbered: row after row of a grid."},
    EnumEntry{int(RowOrder::ReverseCuthillMcKee), "rcm", "reverse Cuthill-McKee", "Breadth first from one end, backwards."},
    EnumEntry{int(RowOrder::NestedDissection), "nested-dissection", "nested dissection",
              "Separators last (METIS): good for a complete factor, poor for an incomplete one."},
};
constexpr std::span<const EnumEntry> enumTable(RowOrder) { return kRowOrders; }

enum class SsorVariant : int { Block, Point };

inline constexpr std::array kSsorVariants{
    EnumEntry{int(SsorVariant::Block), "block", "3x3 blocks", "D is the 3x3 diagonal blocks."},
    EnumEntry{int(SsorVariant::Point), "point", "single unknowns", "D is the diagonal, as published."},
};
constexpr std::span<const EnumEntry> enumTable(SsorVariant) { return kSsorVariants; }

enum class PoissonVariant : int { Block, Scaled, Published };

inline constexpr std::array kPoissonVariants{
    EnumEntry{int(PoissonVariant::Block), "block", "3x3 blocks", "Scaled by the 3x3 diagonal blocks: works on stiff cloth."},
    EnumEntry{int(PoissonVariant::Scaled), "scaled", "scaled", "Scaled by the diagonal: right, and nearly singular on stiff cloth."},
    EnumEntry{int(PoissonVariant::Published), "published", "as published",
              "H H^T with H = I - L D^-1: without the scale, for matrices near a multiple of the identity."},
};
constexpr std::span<const EnumEntry> enumTable(PoissonVariant) { return kPoissonVariants; }

enum class PoissonProduct : int { Backward, Forward };

inline constexpr std::array kPoissonProducts{
    EnumEntry{int(PoissonProduct::Backward), "backward", "H H'", "The published order."},
    EnumEntry{int(PoissonProduct::Forward), "forward", "H' H", "The other order: within a few percent."},
};
constexpr std::span<const EnumEntry> enumTable(PoissonProduct) { return kPoissonProducts; }

struct PreconditionerSettings {
    PreconditionerKind kind = PreconditionerKind::BlockJacobi;
    RowOrder order = RowOrder::Natural;              ///< incomplete-cholesky
    SsorVariant ssorVariant = SsorVariant::Block;    ///< ssor
    double omega = 1.0;                              ///< ssor, in (0, 2)
    PoissonVariant poissonVariant = PoissonVariant::Block;      ///< incomplete-poisson
    PoissonProduct poissonProduct = PoissonProduct::Backward;
    linalg::Ordering coreOrdering = linalg::Ordering::Best;  ///< matrix-core

    bool operator==(const PreconditionerSettings&) const = default;
};

void describe(PreconditionerSettings& s, FieldList& list);

}  // namespace clothlab::preconditioners
