#pragma once

#include <memory>
#include <span>
#include <string>

#include "base/worker_pool.hpp"
#include "linalg/constrained_matrix.hpp"
#include "linalg/row_frames.hpp"

namespace clothlab::preconditioners {

/// What became of an update.
struct Outcome {
    bool usable = true;
    std::string message;  ///< what went wrong
    double shift = 0;     ///< share of the diagonal blocks that was added to make a factor possible
    double entries = 0;   ///< of an incomplete factor
    double fill = 0;      ///< blocks of an incomplete factor, in multiples of those of the lower half of its matrix
};

/// The two ways in which a diagonal fails, in the same words everywhere.
inline Outcome indefiniteBlock() { return {false, "a diagonal block of the matrix is not positive definite"}; }
inline Outcome nonPositiveDiagonal() { return {false, "the diagonal of the matrix is not positive"}; }

/// What an update is made of. All of it lives as long as the solve.
struct UpdateInput {
    const linalg::BlockMatrix& matrix;              ///< in the form that the traits ask for
    const linalg::CoreMask* core = nullptr;         ///< null = all of it is core
    const linalg::ConstrainedView* view = nullptr;  ///< with MatrixForm::ConstrainedView: `matrix` under constraints
    double shift = 0;  ///< of the step before, where the search for a shift begins: part of the simulation's state
    const linalg::RowFrames* frames = nullptr;  ///< for those that deflate
};

/// What a preconditioner with a coarse space says of it after an update.
struct CoarseLevel {
    Index unknowns = 0;
    double seconds = 0;  ///< that it took in the update
    /// Per particle the number of its aggregate, from 1 on; 0 = in none. It may be shorter than there are
    /// particles, whose last ones are then in none.
    std::shared_ptr<const std::vector<Index>> aggregateOf;
};

/// P ~ A, applied as z = P^-1 r. A preconditioner sees a matrix, never constraints: the solver hands it the plain
/// matrix, the constrained matrix SAS + s(I - S) or a view of it, or the reduced one.
///
///     analyze   once per pattern; symbolic work only
///     update    once per matrix of that pattern; may be skipped, which gives a lagged preconditioner
///     applyDot  once per iteration; allocates nothing; symmetric positive definite in exact arithmetic
///
/// What a solver must know before there is a matrix is in its traits (traits.hpp).
class Preconditioner {
public:
    virtual ~Preconditioner() = default;

    virtual void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool) = 0;
    virtual Outcome update(const UpdateInput& input, WorkerPool& pool) = 0;
    /// Called in place of `update` while an earlier update still serves (LagRule), for parts that must follow every
    /// matrix.
    virtual Outcome keep(const UpdateInput&, WorkerPool&) { return {}; }
    /// z = P^-1 r; returns r . z, summed in chunk order.
    virtual double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const = 0;
    virtual std::size_t bytes() const = 0;
    /// Null: it has no coarse space.
    virtual const CoarseLevel* coarseLevel() const { return nullptr; }
    /// Before the first iteration of a solve: may change the start x and its filtered residual r for better ones;
    /// whether it did.
    virtual bool correctStart(linalg::BlockVector&, linalg::BlockVector&, WorkerPool&) { return false; }

    /// Why `applyDot` has failed since the last update, in a sentence for the user; empty = it has not. What it then
    /// returned and wrote is not looked at: the solve ends in a breakdown with this message. For methods from outside,
    /// whose code may throw or give NaN.
    virtual std::string_view failure() const { return {}; }

    /// The order in which `applyDot` takes r and gives z, known after `analyze`: place k holds row order()[k] of the
    /// matrix. Empty: the order of the matrix.
    std::span<const Index> order() const { return order_; }

protected:
    std::span<const Index> order_;  ///< of something that the object keeps; set in `analyze`
};

}  // namespace clothlab::preconditioners
