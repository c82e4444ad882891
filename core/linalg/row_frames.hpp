#pragma once

#include <span>
#include <vector>

#include "linalg/block_matrix.hpp"
#include "linalg/dof_constraints.hpp"

namespace clothlab::linalg {

/// The meaning of the rows of the iteration matrix: row i has the unknowns u_i = T_i dv of one particle, with T_i = I
/// for most of them. Rigid motions follow from this, not from the matrix only.
struct RowFrames {
    struct Turned {
        Index row;
        Mat3 turn;  ///< T_i: S of a constrained particle, or U^T in the reduced system
    };
    const BlockMatrix* matrix = nullptr;  ///< the matrix of conjugate gradients, before filtering
    BlockVector positions;                ///< m, per row; empty = not known
    std::vector<Turned> turned;           ///< where T_i is not the identity, ascending
    std::span<const Index> particle;      ///< per row; empty = row i is particle i

    /// Takes the full system, whose constrained rows are filtered. `at`: positions of the particles, may be null.
    void setFullSystem(const BlockMatrix& A, const DofConstraints& constraints, const BlockVector* at) {
        matrix = &A;
        if (at)
            positions = *at;
        else
            positions.resize(0);
        turned.clear();
        for (const DofConstraint& c : constraints.constrained()) turned.push_back({c.particle, c.S()});
    }
    Index rowParticle(Index row) const { return particle.empty() ? row : particle[row]; }
};

}  // namespace clothlab::linalg
