#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/worker_pool.hpp"
#include "linalg/constrained_matrix.hpp"
#include "linalg/row_frames.hpp"

namespace clothlab::preconditioners {

/// The result of an update.
struct Outcome {
    bool usable = true;
    std::string message;  ///< what went wrong
    double shift = 0;     ///< share of the diagonal blocks added to make a factor possible
    double entries = 0;   ///< of an incomplete factor
    double fill = 0;      ///< blocks of an incomplete factor, in multiples of those of the lower half of its matrix
};

/// The two failures of a diagonal, with common messages.
inline Outcome indefiniteBlock() { return {false, "a diagonal block of the matrix is not positive definite"}; }
inline Outcome nonPositiveDiagonal() { return {false, "the diagonal of the matrix is not positive"}; }

/// The input of an update. It lives as long as the solve.
struct UpdateInput {
    const linalg::BlockMatrix& matrix;              ///< in the form required by the traits
    const linalg::CoreMask* core = nullptr;         ///< null = all of it is core
    const linalg::ConstrainedView* view = nullptr;  ///< with MatrixForm::ConstrainedView: `matrix` under constraints
    double shift = 0;  ///< of the previous step, the start of the search for a shift: part of the simulation's state
    const linalg::RowFrames* frames = nullptr;  ///< for those that deflate
};

/// The coarse space of a preconditioner after an update.
struct CoarseLevel {
    Index unknowns = 0;
    double seconds = 0;  ///< its time in the update
    /// Per particle the number of its aggregate, from 1 on; 0 = in none. It may be shorter than the number of
    /// particles; the last ones are then in none.
    std::shared_ptr<const std::vector<Index>> aggregateOf;
};

/// P ~ A, applied as z = P^-1 r. A preconditioner sees a matrix, never constraints: the solver passes the plain matrix,
/// the constrained matrix SAS + s(I - S) or a view of it, or the reduced one.
///
///     analyze   once per pattern; symbolic work only
///     update    once per matrix of that pattern; may be skipped, which gives a lagged preconditioner
///     applyDot  once per iteration; allocates nothing; symmetric positive definite in exact arithmetic
///
/// Properties known before there is a matrix are in its traits (traits.hpp).
class Preconditioner {
public:
    virtual ~Preconditioner() = default;

    virtual void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool) = 0;
    virtual Outcome update(const UpdateInput& input, WorkerPool& pool) = 0;
    /// Called in place of `update` while an earlier update is reused (LagRule), for parts that must follow every
    /// matrix.
    virtual Outcome keep(const UpdateInput&, WorkerPool&) { return {}; }
    /// z = P^-1 r; returns r . z, summed in chunk order.
    virtual double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const = 0;
    virtual std::size_t bytes() const = 0;
    /// Null: it has no coarse space.
    virtual const CoarseLevel* coarseLevel() const { return nullptr; }
    /// Before the first iteration of a solve: may improve the start x and its filtered residual r; returns whether it
    /// did.
    virtual bool correctStart(linalg::BlockVector&, linalg::BlockVector&, WorkerPool&) { return false; }

    /// Why `applyDot` has failed since the last update, as a sentence for the user; empty = it has not. Its results are
    /// then ignored: the solve ends in a breakdown with this message. For external methods, whose code may throw or
    /// give NaN.
    virtual std::string_view failure() const { return {}; }

    /// The order of r and z in `applyDot`, known after `analyze`: place k holds row order()[k] of the matrix. Empty:
    /// the order of the matrix.
    std::span<const Index> order() const { return order_; }

protected:
    std::span<const Index> order_;  ///< a view of a member of the object; set in `analyze`
};

}  // namespace clothlab::preconditioners
