#pragma once

#include <optional>

#include "base/stage_timer.hpp"
#include "preconditioners/preconditioner.hpp"
#include "solvers/solver.hpp"

/// The one conjugate-gradient loop. MPCG and reduced PCG differ only in operator, filter and start:
///
///                 operator     filter      start
///     mpcg        A            S           S x0 + (I-S) z      ([B] Fig. 5.2)
///     reduced     U^T A U      none        U^T x0              ([Y] §3)
///
/// An iteration is four passes over memory: q = A p with p.q; x, r and r.r; z = P^-1 r with r.z; p. The last iteration
/// ends after the second if the rule is on the residual: strong preconditioners need few iterations and cost much more
/// than the rest of them.
namespace clothlab::solvers {

/// The problem of the loop. r starts as the filtered residual of x; both are advanced in place.
struct CgProblem {
    /// q = A p; returns p . q. Not filtered.
    std::function<double(const linalg::BlockVector& p, linalg::BlockVector& q)> multiply;
    /// Projects onto the free directions, in place; does nothing for a reduced system.
    std::function<void(linalg::BlockVector&)> filter;
    /// r = filter(b - A x), recomputed: the reference that stops the loop.
    std::function<void(const linalg::BlockVector& x, linalg::BlockVector& r)> residual;
    /// b^, the filtered right-hand side that the rules measure against, recomputed: a new preconditioner has another
    /// P-norm.
    std::function<void(linalg::BlockVector& b)> rightHandSide;
    const preconditioners::Preconditioner& preconditioner;
    double rhsNorm2;      ///< |b^|_2^2
    double rhsPNorm = 0;  ///< b^' P^-1 b^; not needed by the residual rule
    /// r' P^-1 r of the start, if scratch.z is already P^-1 r (not filtered): saves one application.
    std::optional<double> startDot = {};
    /// If `multiply` is a rounding of the matrix of `residual`: makes it exact; false = it was so already. The loop
    /// calls it at `kRoundedReach`, or where rounding stops it.
    std::function<bool()> sharpen = {};
};

/// Vectors of the loop, kept from solve to solve.
struct CgScratch {
    linalg::BlockVector r, p, q, z;
    std::vector<float> history;
};

struct CgRule {
    Stopping stopping;
    double tolerance;
    int maxIterations;
    bool goesOn = false;  ///< continues at negative curvature
};

CgRule makeCgRule(const SolverSettings& settings, const linalg::LinearSystem& system);

/// The data that the loop advances: the start and, in `scratch.r`, its filtered residual; of the summary it fills
/// status, iterations, history, message and the apply and multiply times.
struct CgIterate {
    linalg::BlockVector& x;
    CgScratch& scratch;
    SolveSummary& summary;
};

/// Runs until the rule holds.
void conjugateGradients(const CgProblem& problem, const CgRule& rule, const CgIterate& iterate,
                        const SolveControl& control, WorkerPool& pool);

}  // namespace clothlab::solvers
