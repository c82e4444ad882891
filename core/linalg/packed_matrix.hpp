#pragma once

#include "base/simd.hpp"
#include "base/worker_pool.hpp"
#include "linalg/block_matrix.hpp"
#include "linalg/storage.hpp"

namespace clothlab::linalg {

/// The copy of a symmetric block matrix that the conjugate-gradient loop multiplies with: the occupied blocks of the
/// upper half only, so that each block is read once and used twice (y_i += B x_j, y_j += B^T x_i). A multiply is bound
/// by memory, and this reads half of it.
///
/// Threads and determinism. Rows are cut into chunks of fixed size. A chunk computes into its own window, which
/// starts at its first row and ends at the largest column it holds:
///
///     rows      |--- chunk c ---|--- chunk c+1 ---|
///     window    [ own rows      | halo ]                halo: contributions of chunk c to rows behind it
///
/// Own rows are written to y, halos are kept, and a second pass adds them in the order of the chunks. So no two threads
/// write the same row, and the sums do not depend on the distribution of the work. The window has four doubles per row:
/// aligned loads, and no store is ever read back shifted by one row.
///
/// Strays, blocks beyond the band of the pattern, would make every halo as long as the matrix. A chunk adds their
/// contributions to a slot for each row that they reach, and these are added after the halos, again chunk by chunk.
///
/// Blocks are kept in one of the forms of packed_blocks.hpp. Those of springs are symmetric, and half of one gives the
/// bits of the whole. With Storage::Springs, four numbers each, blocks of other forms are handled like strays.
///
/// Single precision halves what a multiply reads once more; sums are in double. The copy is then another matrix, a
/// rounding away from A: good enough for directions, not for the distance to the solution.
///
/// The dot product costs nothing extra: p^T A p = sum_i p_i . (A_ii p_i + 2 sum_{j>i} A_ij p_j), all known in the pass.
class PackedMatrix {
public:
    /// Takes the occupied blocks. Keeps its memory between builds. With `ndof`, 0..3 per row, blocks from or to a row
    /// of ndof 0, whose x is known, are left out: a third of a cloth that lies on a table.
    void build(const BlockMatrix& A, WorkerPool& pool, Packing packing = {}, std::span<const std::uint8_t> ndof = {});

    Index rows() const { return rows_; }
    /// Occupied blocks of the whole matrix represented.
    Index blocks() const { return 2 * Index(column_.size() - misfits_.size() + strays_.size()) + rows_; }
    Precision precision() const { return precision_; }
    std::size_t bytes() const;

    /// y = A x; returns x . y
    double multiplyDot(const BlockVector& x, BlockVector& y, WorkerPool& pool) const;

private:
    template <class Real>
    struct Values {
        AlignedVector<Real> upper;     ///< strictly upper blocks, and padding
        AlignedVector<Real> diagonal;  ///< one block per row, and padding
        AlignedVector<Real> strays;    ///< 9 per stray, and padding

        std::size_t bytes() const { return (upper.size() + diagonal.size() + strays.size()) * sizeof(Real); }
    };

    struct Taken;  ///< which blocks
    enum class Form { Any, Symmetric, Halves, Springs };
    struct AnyBlocks;
    struct SymmetricBlocks;
    struct Halves;
    struct Springs;
    struct Misfit {
        Index row, position;  ///< of a block without the form of the others
    };
    struct Misfits {
        std::vector<Misfit> blocks;
        bool all = false;  ///< the form is impossible
    };
    template <class Real>
    void packBestForm(const BlockMatrix& A, const Taken& taken, Storage storage, Values<Real>& values,
                      WorkerPool& pool);
    /// False: the blocks of A do not have this form.
    template <class Blocks, class Real>
    bool packBlocks(const BlockMatrix& A, const Taken& taken, Values<Real>& values, WorkerPool& pool);
    /// False: there are too many.
    bool keep(const std::vector<Misfits>& found);
    template <class Blocks, class Real>
    double multiplyChunk(Index chunk, const Values<Real>& values, const BlockVector& x, BlockVector& y,
                         double* window) const;
    double multiplyChunk(Index chunk, const BlockVector& x, BlockVector& y, double* window) const;
    void countRows(const BlockMatrix& A, const Taken& taken, WorkerPool& pool);
    void layOutHalos();
    void addHalos(Index chunk, BlockVector& y) const;
    template <class Real>
    void packStrays(const BlockMatrix& A, const Taken& taken, Values<Real>& values);
    template <class Real>
    simd::Double4 multiplyStrays(Index chunk, const Values<Real>& values, const BlockVector& x, double* rows) const;
    void addStrays(Index chunk, BlockVector& y) const;

    struct Halo {
        Index rows = 0;          ///< rows behind the chunk's end
        std::size_t offset = 0;  ///< into halo_
        Index firstSource = 0;   ///< the first chunk whose halo reaches into this chunk
    };

    Index rows_ = 0;
    Form form_ = Form::Any;
    std::vector<Index> rowStart_;        ///< rows + 1, of the strictly upper blocks
    AlignedVector<Index> row_, column_;  ///< of each strictly upper block
    Precision precision_ = Precision::Double;
    Values<double> double_;  ///< one of the two is in use
    Values<float> single_;
    std::vector<Halo> halos_;  ///< per chunk
    mutable AlignedVector<double> halo_;

    struct Stray {
        Index row, column, slot;
    };
    struct Slot {
        Index row, slot;
    };
    std::vector<Misfit> misfits_;          ///< by row; among the strays, and zero among the others
    std::vector<Stray> strays_;            ///< by row
    std::vector<Index> strayStart_;        ///< per chunk, and the end
    std::vector<Index> slotStart_;         ///< per chunk, and the end
    std::vector<Slot> slotsInto_;          ///< by the chunk that the row is in, then by slot
    std::vector<Index> slotsIntoStart_;    ///< per chunk, and the end
    std::vector<Index> slotOf_;            ///< scratch of the build, per row
    mutable AlignedVector<double> slots_;  ///< 4 per slot
};

}  // namespace clothlab::linalg
