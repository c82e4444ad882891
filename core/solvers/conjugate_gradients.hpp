#pragma once

#include <optional>

#include "base/stage_timer.hpp"
#include "preconditioners/preconditioner.hpp"
#include "solvers/solver.hpp"

/// The one conjugate-gradient loop. MPCG and reduced PCG differ by operator, filter and start, and by nothing else:
///
///                 operator     filter      start
///     mpcg        A            S           S x0 + (I-S) z      ([B] Fig. 5.2)
///     reduced     U^T A U      none        U^T x0              ([Y] §3)
///
/// An iteration is four passes over memory: q = A p with p.q; x, r and r.r; z = P^-1 r with r.z; p. The last one ends
/// after the second, if the rule is on the residual: strong preconditioners need few iterations and cost much more than
/// the rest of them.
namespace clothlab::solvers {

/// What the loop works on. r starts as the filtered residual of x; both are advanced in place.
struct CgProblem {
    /// q = A p; returns p . q. Not filtered.
    std::function<double(const linalg::BlockVector& p, linalg::BlockVector& q)> multiply;
    /// Projects onto the free directions, in place; does nothing for a reduced system.
    std::function<void(linalg::BlockVector&)> filter;
    /// r = filter(b - A x), computed afresh: the yardstick that stops the loop.
    std::function<void(const linalg::BlockVector& x, linalg::BlockVector& r)> residual;
    /// b^, the filtered right-hand side that the rules measure against, computed afresh: a new preconditioner has
    /// another P-norm.
    std::function<void(linalg::BlockVector& b)> rightHandSide;
    const preconditioners::Preconditioner& preconditioner;
    double rhsNorm2;      ///< |b^|_2^2
    double rhsPNorm = 0;  ///< b^' P^-1 b^; the residual rule does not ask for it
    /// r' P^-1 r of the start, where scratch.z is already P^-1 r (not filtered): saves one application.
    std::optional<double> startDot = {};
    /// Where `multiply` is a rounding of what `residual` uses: makes it as exact; false = it was so already. The loop
    /// asks for it at `kRoundedReach`, or where rounding stops it.
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
    bool goesOn = false;  ///< at negative curvature
};

CgRule ruleOf(const SolverSettings& settings, const linalg::LinearSystem& system);

/// What the loop advances: the start and, in `scratch.r`, its filtered residual; of the summary it fills status,
/// iterations, history, message and the apply and multiply times.
struct CgIterate {
    linalg::BlockVector& x;
    CgScratch& scratch;
    SolveSummary& summary;
};

/// Runs until the rule holds.
void conjugateGradients(const CgProblem& problem, const CgRule& rule, const CgIterate& iterate,
                        const SolveControl& control, WorkerPool& pool);

}  // namespace clothlab::solvers
