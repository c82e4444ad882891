#pragma once

#include <optional>

#include "base/worker_pool.hpp"
#include "linalg/free_basis.hpp"
#include "linalg/linear_system.hpp"
#include "linalg/row_frames.hpp"

namespace clothlab::linalg {

/// The reduced system of [Y] §3: (U^T A U) y = U^T (b - A (I-S) z), dv = U y + (I-S) z, with U the free directions of
/// every particle (`free_basis.hpp`).
///
/// Blocks stay 3x3, padded with zeros (.) and, on the diagonal of the matrix, with the scale s (constrainedScale):
///
///     ndof  3          2          1          0
///        [x x x]    [x x .]    [x . .]
///        [x x x]    [x x .]    [. s .]    no row
///        [x x x]    [. . s]    [. . s]
///
/// The padding of the right-hand side is zero, so the kernels stay the same and the padding stays zero. The pattern is
/// kept while the set of ndof-0 particles and the pattern of A do not change.
class ReducedSystem {
public:
    /// Empty, or why it failed (not a basis), as a sentence for the user. `Robust` and `Random` never fail.
    std::string build(const LinearSystem& system, WorkerPool& pool, Basis basis = Basis::Robust);

    /// Fills `core().outside`, U^T X U of every row: call after `build` if needed; the system must have a core.
    void reduceOutside(const LinearSystem& system, std::uint8_t coreBits, WorkerPool& pool);

    const BlockMatrix& matrix() const { return matrix_; }
    const BlockVector& rhs() const { return rhs_; }
    Index rows() const { return Index(particle_.size()); }
    /// Core blocks of the reduced pattern, if the system has a core; otherwise empty.
    const CoreMask& core() const { return core_; }

    /// The meaning of the rows; `positions` of the particles, m, may be null.
    void fillFrames(const BlockVector* positions, RowFrames& out) const;

    /// y = U^T x
    void restrict(const BlockVector& full, BlockVector& reduced) const;
    /// dv = U y + (I-S) z
    void expand(const BlockVector& reduced, BlockVector& full) const;

private:
    /// Whether a particle has ndof 0, and for how long.
    enum class Held : std::uint8_t { Not, Lasting, Passing };
    /// The pattern of the cloth without the rows of pins.
    struct Lasting {
        std::uint64_t of = 0;      ///< revision of the cloth's pattern
        std::vector<Index> row{};  ///< per row of the cloth's: its row here, or -1
        std::vector<Index> source{};
        std::shared_ptr<const BlockPattern> pattern{};
        std::shared_ptr<const CoreMask> core{};
    };

    void updatePattern(const LinearSystem& system, WorkerPool& pool);
    std::shared_ptr<const PatternOrigin> origin(WorkerPool& pool);
    void updateOriginCore(const CoreMask& core);
    void fillMatrix(const LinearSystem& system, WorkerPool& pool);
    void fillRhs(const LinearSystem& system, WorkerPool& pool);

    std::shared_ptr<const BlockPattern> fullPattern_;
    std::vector<Held> held_;          ///< per particle
    std::optional<Lasting> lasting_;  ///< set once a passing constraint has held a particle
    std::vector<Index> particle_;     ///< per reduced row: its particle
    std::vector<Index> row_;          ///< per particle: its reduced row, or -1
    std::vector<Index> source_;       ///< per reduced block: its position in A
    std::vector<Mat3> basis_;         ///< U_i of the partial particles
    std::vector<Index> basisOf_;      ///< per reduced row: index into basis_, or -1
    std::vector<DofConstraint> all_;  ///< for expand
    BlockMatrix matrix_;
    BlockVector rhs_;
    CoreMask core_;
};

}  // namespace clothlab::linalg
