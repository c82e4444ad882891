#pragma once

#include <cstdint>
#include <vector>

#include "factors/ordering.hpp"
#include "linalg/linear_system.hpp"

/// The blocks of the matrices of a step, in any order of elimination: for a picture that is linked with the cloth.
namespace clothlab::experiments {

enum class SparsityOf : int { Matrix, Constrained, Reduced, Core, IncompleteFactor, Factor };
inline constexpr std::array kSparsitiesOf{
    EnumEntry{int(SparsityOf::Matrix), "matrix", "A",
              "The matrix of the step: a block for each implicit spring that is not slack."},
    EnumEntry{int(SparsityOf::Constrained), "constrained", "SAS + s(I-S)",
              "A with the constraints: rows and columns of held particles have only their diagonal block."},
    EnumEntry{int(SparsityOf::Reduced), "reduced", "reduced", "U'AU: held particles have no rows."},
    EnumEntry{int(SparsityOf::Core), "core", "core",
              "The matrix core: the blocks of stretch springs and of contact, and all diagonal blocks."},
    EnumEntry{int(SparsityOf::IncompleteFactor), "incomplete-factor", "IC(0) factor",
              "Only the blocks of A below the diagonal."},
    EnumEntry{int(SparsityOf::Factor), "factor", "Cholesky factor",
              "The complete factor, with the fill of elimination."},
};
constexpr std::span<const EnumEntry> enumTable(SparsityOf) { return kSparsitiesOf; }

/// The kind of a block, in rising priority when several fall onto one point of a picture.
enum class BlockKind : std::uint8_t { Slack, Outside, Fill, Shear, Core, Contact, Diagonal };

struct Sparsity {
    SparsityOf of = SparsityOf::Matrix;
    factors::Ordering ordering = factors::Ordering::Natural;
    int step = 0;
    std::vector<Index> particle;        ///< per place: its particle
    std::vector<Index> place;           ///< per particle: its place, or -1 (reduced away)
    std::vector<std::size_t> rowStart;  ///< per place, + 1
    std::vector<Index> column;          ///< places, ascending within a row
    std::vector<BlockKind> kind;        ///< per block
    std::size_t occupied = 0;           ///< blocks except slack ones
    /// By components: the first place of each, and the end of the last, where held particles begin. Otherwise empty.
    std::vector<Index> componentStart;

    Index places() const { return Index(particle.size()); }
};

/// The blocks of one matrix. Slack springs' blocks are listed (as Slack) only in A; factors have their lower half. By
/// components it is block diagonal ([B] figure 6.2): the largest component first, each in the ordering, held particles
/// last.
Sparsity sparsity(const linalg::FrozenSystem& system, SparsityOf of, factors::Ordering ordering,
                  bool byComponents = false);

}  // namespace clothlab::experiments
