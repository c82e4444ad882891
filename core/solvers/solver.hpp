#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "linalg/linear_system.hpp"
#include "preconditioners/settings.hpp"
#include "solvers/settings.hpp"

namespace clothlab::solvers {

enum class SolveStatus : int {
    NotRun,         ///< no solve yet
    Converged,      ///< the stopping rule holds, verified (verdict.hpp)
    MaxIterations,  ///< accepted as unconverged
    Stalled,     ///< the best residual fell less than 1 % in 500 iterations, or round-off keeps it above the tolerance
    Indefinite,  ///< p'Ap <= 0 or r'P^-1 r < 0: the matrix or the preconditioner is not positive definite
    Breakdown,   ///< a factorization or a preconditioner failed, or the system is invalid
    NotFinite,   ///< NaN, infinity, or numbers whose squares overflow
    Cancelled,   ///< the stop token was set
    Refused,     ///< this solver cannot run with this preconditioner; the message says why
};
inline constexpr std::array kSolveStatuses{
    EnumEntry{int(SolveStatus::NotRun), "not-run", "not run"},
    EnumEntry{int(SolveStatus::Converged), "converged", "converged"},
    EnumEntry{int(SolveStatus::MaxIterations), "max-iterations", "iteration limit"},
    EnumEntry{int(SolveStatus::Stalled), "stalled", "stalled"},
    EnumEntry{int(SolveStatus::Indefinite), "indefinite", "not positive definite"},
    EnumEntry{int(SolveStatus::Breakdown), "breakdown", "breakdown"},
    EnumEntry{int(SolveStatus::NotFinite), "not-finite", "not finite"},
    EnumEntry{int(SolveStatus::Cancelled), "cancelled", "cancelled"},
    EnumEntry{int(SolveStatus::Refused), "refused", "refused"},
};
constexpr std::span<const EnumEntry> enumTable(SolveStatus) { return kSolveStatuses; }

constexpr bool converged(SolveStatus s) { return s == SolveStatus::Converged; }

/// Whether a step may use the result: MaxIterations and Stalled are accepted and counted.
constexpr bool acceptable(SolveStatus s) {
    return converged(s) || s == SolveStatus::MaxIterations || s == SolveStatus::Stalled;
}

/// One conjugate-gradient iteration, for residual history, Ritz values and slow motion. k = 0 is the start
/// (alpha = beta = 0). x and r live in the solver's space: full for MPCG, reduced for reduced PCG.
struct Iterate {
    int k;
    const linalg::BlockVector& x;
    const linalg::BlockVector& r;
    double alpha, beta;
    double relativeResidual;  ///< |r| / |b^|
    bool restarted = false;   ///< since the iterate before, the direction was taken anew from the true residual
    double rz = 0;            ///< r.P^-1 r before the iteration, J: it took alpha rz off |dv - dv_k|_A^2
};
using Observer = std::function<void(const Iterate&)>;

struct SolveControl {
    std::stop_token stop = {};
    Observer observer = {};
};

/// The solve of one component of the implicit graph.
struct ComponentSolve {
    Index rows = 0;  ///< particles
    int iterations = 0;
};

/// The result of a solve. If decomposed: iterations are the largest of the components, and seconds of concurrent work
/// are scaled to its wall time.
struct SolveSummary {
    SolveStatus status = SolveStatus::NotRun;
    int iterations = 0;
    int moreIterations = 0;            ///< of further solves of the same step
    int doubleIterations = 0;          ///< with a matrix in single precision: those at the end that needed it in double
    std::vector<float> history;        ///< relative residual |r|/|b^| at k = 0..iterations (CG solvers)
    double trueRelativeResidual = -1;  ///< |S(b - A dv)| / |S(b - A (I-S) z)|; negative = not measured
    double analyzeSeconds = 0, factorSeconds = 0, applySeconds = 0, multiplySeconds = 0, totalSeconds = 0;
    std::size_t bytes = 0;     ///< of the factor or preconditioner
    int factorAge = 0;         ///< solves since a lagged factor was made
    double fill = 0;           ///< entries of the factor (direct solvers, incomplete Cholesky)
    double relativeFill = 0;   ///< blocks of an incomplete factor: multiples of its matrix's lower half
    double flops = 0;          ///< of the factorization
    double icShift = 0;        ///< diagonal shift that an incomplete factorization needed
    Index coarseUnknowns = 0;  ///< of a deflation, 0 = none
    Index domains = 0;         ///< whose interiors were eliminated, 0 = another method
    Index interfaceRows = 0;   ///< between them
    double coarseSeconds = 0;  ///< for its coarse space, part of factorSeconds
    /// The aggregate of each particle, as in preconditioners::CoarseLevel; null = none.
    std::shared_ptr<const std::vector<Index>> aggregateOf;
    double rhsNorm = -1;                     ///< |b^|, the reference of the history; negative = not measured
    double rowIterations = 0;                ///< sum over separate solves of iterations x rows ([B] §6.4: "RV")
    std::vector<ComponentSolve> components;  ///< if the graph was searched: component c in [c - 1]
    int cutPairs = 0;                        ///< occupied blocks between components: left out by a cutting rule
    double decomposeSeconds = 0;             ///< search for components and copies of their rows
    std::string message;                     ///< "p'Ap = -3e-7 at iteration 41"
};

/// Solves S A dv = S b, (I - S) dv = (I - S) z. Never throws for numerics, never prints, never allocates inside its
/// loop; caches (patterns, factors, scratch) belong to the object, and dropping them changes no bit.
class Solver {
public:
    virtual ~Solver() = default;
    /// deltaV is resized as needed; on an unacceptable status its content is unspecified. An invalid system ends in
    /// Breakdown.
    void solve(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
               const SolveControl& control, WorkerPool& pool);
    /// dv of an iterate passed to an observer, during the solve: CG on the reduced system iterates in other unknowns.
    virtual void toDeltaV(const linalg::BlockVector& iterate, linalg::BlockVector& deltaV) const { deltaV = iterate; }
    /// Drops the data of earlier solves that could change the next result (a lagged factor): after a jump in time.
    virtual void forget() {}

private:
    /// The summary is fresh, and the system has been checked.
    virtual void run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
                     const SolveControl& control, WorkerPool& pool) = 0;
};

// --- of the catalogue (catalogue.hpp), in short
std::unique_ptr<Solver> makeSolver(const SolverSettings& solver,
                                   const preconditioners::PreconditionerSettings& preconditioner);
/// Empty if the two can be combined, otherwise the reason as a sentence for the user.
std::string refusal(SolverKind solver, const preconditioners::PreconditionerSettings& preconditioner);
/// Whether the solver uses a preconditioner.
bool usesPreconditioner(SolverKind solver);

}  // namespace clothlab::solvers
