#pragma once

#include "bench.hpp"
#include "factors/cholmod_factor.hpp"
#include "solvers/conjugate_gradients.hpp"
#include "solvers/iteration_matrix.hpp"

namespace clothlab::bench {

/// CHOLMOD on the whole matrix without explicit zeros, by its own supernodal phase: factor and solve, without analysis.
/// The ordering is AMD or METIS, whichever is faster.
class CholeskyPeer {
public:
    CholeskyPeer(const linalg::BlockMatrix& A, const linalg::BlockVector& b);
    void operator()();

private:
    linalg::BlockMatrix A_;
    const linalg::BlockVector& b_;
    factors::CholmodFactor factor_;
    linalg::BlockVector x_;
    WorkerPool one_;
};

/// Our PCG: packed copy in single precision, update of the preconditioner, and PCG to a true relative residual of 1e-3,
/// on one thread, without analysis. The matrix is the reduced one, as for the peers.
class OurPcg {
public:
    OurPcg(const linalg::BlockMatrix& A, const linalg::CoreMask* core, const linalg::BlockVector& b,
           const preconditioners::PreconditionerSettings& settings);
    void operator()();
    int iterations() const { return summary_.iterations; }

private:
    const linalg::BlockMatrix& A_;
    const linalg::CoreMask* core_;
    const linalg::BlockVector& b_;
    std::unique_ptr<preconditioners::Preconditioner> preconditioner_;
    solvers::IterationMatrix matrix_;
    linalg::BlockVector x_;
    solvers::CgScratch scratch_;
    solvers::SolveSummary summary_;
    WorkerPool one_;
};

/// Stops the run if a condition fails: the time of a failed solve would mean nothing.
void require(bool holds, std::string_view what);

}  // namespace clothlab::bench
