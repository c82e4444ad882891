#pragma once

#include "base/fields.hpp"

namespace clothlab::preconditioners {

enum class PreconditionerKind : int { Identity, Jacobi, BlockJacobi, ConstrainedBlock };

inline constexpr std::array kPreconditionerKinds{
    EnumEntry{int(PreconditionerKind::Identity), "identity", "Identity", "No preconditioner: plain conjugate gradients."},
    EnumEntry{int(PreconditionerKind::Jacobi), "jacobi", "Jacobi", "The inverse of the diagonal of the matrix."},
    EnumEntry{int(PreconditionerKind::BlockJacobi), "block-jacobi", "Block Jacobi",
              "The inverse of the 3x3 diagonal blocks, one a particle."},
    EnumEntry{int(PreconditionerKind::ConstrainedBlock), "constrained-block", "Constrained block",
              "Block Jacobi of the constrained matrix SAS + s(I - S): knows which directions a contact has removed."},
};
constexpr std::span<const EnumEntry> enumTable(PreconditionerKind) { return kPreconditionerKinds; }

struct PreconditionerSettings {
    PreconditionerKind kind = PreconditionerKind::BlockJacobi;

    bool operator==(const PreconditionerSettings&) const = default;
};

void describe(PreconditionerSettings& s, FieldList& list);

}  // namespace clothlab::preconditioners
