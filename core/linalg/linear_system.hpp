#pragma once

#include <cstdint>
#include <memory>

#include "linalg/block_matrix.hpp"
#include "linalg/dof_constraints.hpp"

namespace clothlab::linalg {

/// The off-diagonal blocks of A that belong to the matrix core ([Y] §6).
struct CoreMask {
    static constexpr std::uint8_t kCore = 1;   ///< always
    static constexpr std::uint8_t kShear = 2;  ///< if shear counts as core
    /// Pairs of contact and of sewing, unless they are left out.
    static constexpr std::uint8_t kContact = 4;
    static constexpr std::uint8_t kUsual = kCore | kContact;

    std::vector<std::uint8_t> offDiagonal;  ///< #blocks of the pattern, bits as above; symmetric
    /// Per row the part off the diagonal of its own 3x3 block that comes from blocks outside the core, which the scalar
    /// reading of the core leaves out. Empty unless a preconditioner needs it.
    std::vector<Mat3> outside;
    std::uint64_t revision = 0;
    std::shared_ptr<const CoreMask> ofOrigin{};  ///< likewise for the pattern's origin; null if it has none
};

/// S A dv = S b, (I - S) dv = (I - S) z: a view, owned by the integrator that assembled it.
struct LinearSystem {
    const BlockMatrix& A;                    ///< M - h D - h^2 K, kg
    const BlockVector& b;                    ///< kg m/s
    const DofConstraints& constraints;       ///< S and z
    const CoreMask* core = nullptr;          ///< null = all of A is core
    const BlockVector* previous = nullptr;   ///< previous dv, m/s: the warm start if the solver's settings use it
    bool startsThere = false;                ///< it is of this very step: always used as start
    double icShift = 0;                      ///< diagonal shift of an incomplete factorization in the previous step
    const BlockVector* velocity = nullptr;   ///< m/s at the start of the step: for the cuts of a decomposition
    const BlockVector* positions = nullptr;  ///< m, where A is linearized, for rigid motions; null = not known
    double dt = 0;                           ///< s, of its step; 0 = of no step
    double tolerance = 0;                    ///< in place of the solver's own; 0 = the solver's
    double finest = 0;        ///< a relative tolerance that replaces a coarser one of the solver; 0 = none
    bool sameMatrix = false;  ///< A, S and pattern are those of this solver's last solve: its factor is reused
};

/// An owning copy, for `system` and other uses after the step.
struct FrozenSystem {
    BlockMatrix A;
    CoreMask core;
    BlockVector b, previous, deltaV;
    DofConstraints constraints;
    BlockVector positions;  ///< m, where A is linearized; empty = not known
    double icShift = 0;
    double dt = 0;     ///< s
    int step = 0;      ///< the step that solves this system
    double reach = 0;  ///< s, displacement of a particle per dv: dt, or 2/3 dt in two-step methods

    LinearSystem view() const {
        return {.A = A,
                .b = b,
                .constraints = constraints,
                .core = core.offDiagonal.empty() ? nullptr : &core,
                .previous = previous.empty() ? nullptr : &previous,
                .icShift = icShift,
                .positions = positions.empty() ? nullptr : &positions,
                .dt = dt};
    }
};

}  // namespace clothlab::linalg
