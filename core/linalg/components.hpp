#pragma once

#include <span>

#include "linalg/block_matrix.hpp"
#include "linalg/dof_constraints.hpp"

namespace clothlab::linalg {

/// Connected components of the implicit graph ([B] §6.2): one vertex per particle, one edge per occupied block.
///
/// Particles of ndof 0 are known before the solve: they belong to no component (number 0, [B]'s pseudo-code; E-33) and
/// end the paths that reach them. Particles of ndof 1 and 2 do not separate. Components are numbered 1, 2, .. by their
/// first particles, so that the numbers depend on the graph only.
struct Components {
    std::vector<Index> of;     ///< #P; the component of each particle, 0 = none
    std::vector<Index> rows;   ///< particles, component after component, ascending in each
    std::vector<Index> start;  ///< count + 1; component c holds rows[start[c - 1]] .. rows[start[c] - 1]

    Index count() const { return Index(start.size()) - 1; }
    Index size(Index component) const { return start[component] - start[component - 1]; }
    std::span<const Index> rowsIn(Index component) const {
        return std::span(rows).subspan(start[component - 1], std::size_t(size(component)));
    }
    /// Number of the largest component, the first of them; 0 if there is none.
    Index largest() const;
};

/// Cutting lines ([B] §7.1, future work): a pair whose particles move alike is no edge. The solver decides about its
/// block; a component that connects both ends another way keeps it.
struct CutRule {
    const BlockVector* velocity = nullptr;  ///< m/s; null = nothing is cut
    double below = 0;                       ///< m/s, relative speed

    bool on() const { return velocity && below > 0; }
    bool cuts(Index i, Index j) const { return ((*velocity)[i] - (*velocity)[j]).squaredNorm() < below * below; }
};

/// Union-find, O(blocks) at worst: two edges per row first, a range of rows per thread, and then all edges outside the
/// largest set (Sutton, Ben-Nun and Barak, 2018). The result depends on the graph only. `out` keeps its memory.
void findComponents(const BlockMatrix& A, const DofConstraints& constraints, Components& out, WorkerPool& pool,
                    const CutRule& cut = {});
void findComponents(const BlockMatrix& A, const DofConstraints& constraints, Components& out, const CutRule& cut = {});

/// The graph without edges: each particle that can move is a component. `ndof`: 0..3 per particle.
void separateParticles(std::span<const std::uint8_t> ndof, Components& out);

}  // namespace clothlab::linalg
