#pragma once

#include <cstdint>
#include <optional>

#include "linalg/linear_system.hpp"

namespace clothlab::preconditioners {

/// The matrix that MPCG must pass to the preconditioner; reduced PCG passes the reduced one.
enum class MatrixForm {
    Plain,                ///< A as assembled
    ConstrainedDiagonal,  ///< the diagonal blocks of SAS + s(I - S), and nothing else
    PublishedDiagonal,    ///< the diagonal blocks of SA + I - S, and nothing else
    Constrained,          ///< all of SAS + s(I - S)
    ConstrainedView,      ///< the same, without copying A
};

/// How long one update is used.
struct LagRule {
    int maxAge = 1;    ///< updates after which it is recomputed
    int patience = 0;  ///< iterations after which a solve with an old one makes a new one and continues; 0 = never
};

/// Bits of linalg::CoreMask that count as core.
constexpr std::uint8_t coreBits(bool shear, bool contact) {
    return std::uint8_t(linalg::CoreMask::kCore | (shear ? linalg::CoreMask::kShear : 0) |
                        (contact ? linalg::CoreMask::kContact : 0));
}

/// Properties of a preconditioner, known from its settings only.
struct PreconditionerTraits {
    MatrixForm form = MatrixForm::Plain;
    bool usesCore = false;    ///< is made of the core of the matrix
    bool usesShear = false;   ///< ... with the shear springs in it
    bool noContact = false;   ///< ... without the pairs of contact and of sewing
    bool scalarCore = false;  ///< ... in the scalar reading, which needs `CoreMask::outside`
    bool ownOrder = false;    ///< `applyDot` takes vectors in its own order
    bool deflates = false;    ///< has a coarse space, which needs UpdateInput::frames
    std::optional<LagRule> lag = {};

    /// Uses only the constrained diagonal: on a system without constraints it is another method.
    bool onlyConstrained() const {
        return form == MatrixForm::ConstrainedDiagonal || form == MatrixForm::PublishedDiagonal;
    }
    /// Deflation needs symmetric preconditioners in the order of the matrix.
    bool mayDeflate() const { return !ownOrder && form != MatrixForm::PublishedDiagonal; }
    /// The bits of the core for which `CoreMask::outside` is to be filled; 0 = not needed.
    std::uint8_t outsideBits() const {
        if (!scalarCore) return 0;
        return coreBits(usesShear, !noContact);
    }
};

}  // namespace clothlab::preconditioners
