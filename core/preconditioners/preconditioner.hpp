#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/worker_pool.hpp"
#include "linalg/constrained_matrix.hpp"
#include "preconditioners/settings.hpp"

namespace clothlab::preconditioners {

/// What became of an update.
struct Outcome {
    bool usable = true;
    std::string message;  ///< what went wrong
    double shift = 0;     ///< share of the diagonal blocks that was added to make a factor possible
};

/// The two ways in which a diagonal fails, in the same words everywhere.
inline Outcome indefiniteBlock() { return {false, "a diagonal block of the matrix is not positive definite"}; }
inline Outcome nonPositiveDiagonal() { return {false, "the diagonal of the matrix is not positive"}; }

/// P ~ A, applied as z = P^-1 r. A preconditioner sees a matrix, never constraints: the solver hands it the plain
/// matrix, the constrained matrix SAS + s(I - S) or a view of it, or the reduced one.
///
///     analyze   once a pattern; symbolic work only
///     update    once a matrix of that pattern; may be skipped, which gives a lagged preconditioner
///     applyDot  once an iteration; allocates nothing; symmetric positive definite in exact arithmetic
class Preconditioner {
public:
    virtual ~Preconditioner() = default;

    virtual void analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool) = 0;
    virtual Outcome update(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool) = 0;
    /// The same for those whose matrix form is a view; after the call the view may change.
    virtual Outcome updateView(const linalg::ConstrainedView&, WorkerPool&) {
        return {false, "this preconditioner takes no view of a matrix"};
    }
    /// The shift of the step before, at which the next update may begin: it belongs to the state of the simulation, not
    /// to the object, or going back in time would change the motion.
    virtual void rememberShift(double) {}
    /// z = P^-1 r; returns r . z, summed in chunk order.
    virtual double applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const = 0;
    virtual std::size_t bytes() const = 0;
    /// The order in which `applyDot` takes r and gives z, known after `analyze`: place k holds row order()[k] of the
    /// matrix. Empty: the order of the matrix.
    virtual std::span<const Index> order() const { return {}; }

    /// The bits of the core for which `CoreMask::outside` is to be filled; 0 = not needed.
    virtual std::uint8_t needsOutside() const { return 0; }
    /// Updates since the matrix of this preconditioner was the one at hand: 0 unless it is a lagged one.
    virtual int age() const { return 0; }
    /// Iterations after which a solve with an old factor is to stop, to `forget` and to update; 0 = never.
    virtual int patience() const { return 0; }
    /// Forgets what earlier matrices left: the next update is as the first.
    virtual void forget() {}
};

/// Which matrix a solver must hand to the preconditioner.
enum class MatrixForm {
    Plain,                ///< A as assembled, or the reduced matrix as it is
    ConstrainedDiagonal,  ///< the diagonal blocks of SAS + s(I - S), and nothing else
    PublishedDiagonal,    ///< the diagonal blocks of SA + I - S, and nothing else
    Constrained,          ///< all of SAS + s(I - S)
    ConstrainedView,      ///< the same, without a copy of what A has already
};
MatrixForm matrixForm(const PreconditionerSettings& settings);

std::unique_ptr<Preconditioner> makePreconditioner(const PreconditionerSettings& settings);

}  // namespace clothlab::preconditioners
