#include "solvers/conjugate_gradients.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "linalg/vector_kernels.hpp"
#include "solvers/iteration_matrix.hpp"
#include "solvers/verdict.hpp"

namespace clothlab::solvers {
namespace {

/// A stall: the best residual has fallen by less than 1 % in 500 iterations.
class StallGuard {
public:
    explicit StallGuard(int iteration = 0) : since_(iteration) {}
    bool stalled(int iteration, double residual2) {
        if (residual2 < 0.99 * 0.99 * best2_) {
            best2_ = residual2;
            since_ = iteration;
        }
        return iteration - since_ >= 500;
    }

private:
    double best2_ = 1e300;
    int since_;
};

/// The loop's numbers beside its vectors.
class Loop {
public:
    Loop(const CgProblem& problem, const CgRule& rule, const CgIterate& iterate, const SolveControl& control,
         WorkerPool& pool)
        : problem_(problem),
          rule_(rule),
          x_(iterate.x),
          s_(iterate.scratch),
          summary_(iterate.summary),
          control_(control),
          pool_(pool) {}

    void run();

private:
    bool onResidual() const { return rule_.stopping == Stopping::Residual; }
    double relative(double rr) const { return rhsNorm_ > 0 ? std::sqrt(rr) / rhsNorm_ : (rr > 0 ? 1e300 : 0.0); }
    SolveStatus ruled() const { return onResidual() ? verdict(rr_, residualLimit_) : verdict(delta_, pLimit_); }
    void start();
    bool goesOn(int k);
    bool arrives(int k);
    bool iterate(int k);
    void measure();
    void newDirection();
    bool sharpens(int k);
    bool drifted();
    /// Ends the loop: always false.
    bool finish(SolveStatus status, int iterations, std::string message = {});
    /// Whether the preconditioner says that it has: the loop is then at its end.
    bool failed(int k);
    /// That this sign of a product which a definite matrix makes positive ends the loop.
    bool refuses(double product) const { return !(product > 0) && !(rule_.goesOn && product < 0); }
    bool notFinite(int k) { return finish(SolveStatus::NotFinite, k, fmt::format("not finite at iteration {}", k)); }
    bool notPositive(int k) {
        return finish(
            SolveStatus::Indefinite, k,
            fmt::format("r'P^-1 r = {:.1e} at iteration {}: the preconditioner is not positive definite", delta_, k));
    }

    const CgProblem& problem_;
    const CgRule& rule_;
    linalg::BlockVector& x_;
    CgScratch& s_;
    SolveSummary& summary_;
    const SolveControl& control_;
    WorkerPool& pool_;

    double rhsNorm_ = 0, residualLimit_ = 0, pLimit_ = 0, roundedLimit_ = 0;
    double rr_ = 0, delta_ = 0;  ///< r.r and r.P^-1 r
    bool rounded_ = false;       ///< `multiply` is coarser than `residual`
    bool restarted_ = false;     ///< a new direction since the last iterate that was observed
    int sharpenedAt_ = -1;
    StallGuard stall_;
    int measuredAbove_ = 0;  ///< times that the true residual was above what the recursion had said
    StageTimer timer_;
};

bool Loop::finish(SolveStatus status, int iterations, std::string message) {
    summary_.status = status;
    summary_.iterations = iterations;
    summary_.doubleIterations = sharpenedAt_ < 0 ? 0 : iterations - sharpenedAt_;
    summary_.message = std::move(message);
    return false;
}

/// r = b - A x afresh: the recursion drifts from it.
void Loop::measure() {
    problem_.residual(x_, s_.r);
    rr_ = linalg::dot(s_.r, s_.r, pool_);
}

/// Whether the residual of the recursion differs from the true one by more than a tenth.
bool Loop::drifted() {
    constexpr double kDrift = 0.1;
    problem_.residual(x_, s_.q);
    return !((s_.q.flat() - s_.r.flat()).squaredNorm() <= kDrift * kDrift * rr_);
}

void Loop::newDirection() {
    delta_ = problem_.preconditioner.applyDot(s_.r, s_.z, pool_);
    problem_.filter(s_.z);
    s_.p = s_.z;
    restarted_ = true;
}

bool Loop::failed(int k) {
    const std::string_view why = problem_.preconditioner.failure();
    if (!why.empty()) finish(SolveStatus::Breakdown, k, fmt::format("{} (iteration {})", why, k));
    return !why.empty();
}

/// Continues with an exact matrix, from the true residual; false: it was exact.
bool Loop::sharpens(int k) {
    if (!rounded_) return false;
    rounded_ = false;
    if (!problem_.sharpen()) return false;
    sharpenedAt_ = k;
    measure();
    newDirection();
    stall_ = StallGuard(k);
    return true;
}

void Loop::start() {
    rhsNorm_ = summary_.rhsNorm = std::sqrt(problem_.rhsNorm2);
    const double tolerance2 = rule_.tolerance * rule_.tolerance;
    residualLimit_ = tolerance2 * problem_.rhsNorm2;
    roundedLimit_ = kRoundedReach * kRoundedReach * problem_.rhsNorm2;
    rounded_ = static_cast<bool>(problem_.sharpen);
    pLimit_ = rule_.stopping == Stopping::Absolute ? tolerance2 : tolerance2 * problem_.rhsPNorm;
    timer_.lap();
    rr_ = linalg::dot(s_.r, s_.r, pool_);
    delta_ = problem_.startDot ? *problem_.startDot : problem_.preconditioner.applyDot(s_.r, s_.z, pool_);
    problem_.filter(s_.z);
    s_.p = s_.z;
    summary_.applySeconds += timer_.lap();
    summary_.history.clear();
    summary_.history.reserve(std::min(rule_.maxIterations, 100000) + 1);
    summary_.history.push_back(float(relative(rr_)));
    if (control_.observer) control_.observer({0, x_, s_.r, 0.0, 0.0, relative(rr_)});
}

/// True where the rule holds for the measured residual; otherwise the loop continues from there, or ends.
bool Loop::arrives(int k) {
    const SolveStatus reached = ruled();
    const bool beyondRounding = rounded_ && meets(rr_, roundedLimit_);
    if (!converged(reached) && !beyondRounding) return false;
    const bool byPNorm = converged(reached) && !onResidual() && !beyondRounding;
    if (byPNorm && !drifted()) return !finish(reached, k);
    if (onResidual() || byPNorm) {
        measure();
        if (byPNorm) newDirection();  // for r'P^-1 r of the true residual
        if (const SolveStatus found = ruled();
            converged(found)) {  // the rule is on the true residual, so look before believing it
            summary_.history.back() = float(relative(rr_));
            summary_.trueRelativeResidual = relative(rr_);
            return !finish(found, k);
        }
    }
    if (sharpens(k)) return converged(ruled()) && !finish(ruled(), k);
    if (++measuredAbove_ > 5)
        return !finish(SolveStatus::Stalled, k,
                       fmt::format("round-off: the true residual stays at {:.1e}", relative(rr_)));
    newDirection();
    return false;
}

/// Whether there is a next iteration.
bool Loop::goesOn(int k) {
    if (failed(k)) return false;
    if (!std::isfinite(rr_) || !std::isfinite(delta_)) return notFinite(k);
    if (delta_ < 0 && refuses(delta_)) return notPositive(k);
    if (arrives(k) || failed(k)) return false;
    if (delta_ < 0 && refuses(delta_)) return notPositive(k);
    if (k >= rule_.maxIterations) return finish(SolveStatus::MaxIterations, k);
    if (stall_.stalled(k, rr_) && !sharpens(k)) return finish(SolveStatus::Stalled, k, "the residual no longer falls");
    if (control_.stop.stop_requested()) return finish(SolveStatus::Cancelled, k);
    return true;
}

bool Loop::iterate(int k) {
    timer_.lap();
    double curvature = problem_.multiply(s_.p, s_.q);
    if (!(curvature > 0.0) && std::isfinite(curvature) && sharpens(k)) curvature = problem_.multiply(s_.p, s_.q);
    problem_.filter(s_.q);
    summary_.multiplySeconds += timer_.lap();
    if (!std::isfinite(curvature)) return notFinite(k);
    if (refuses(curvature))
        return finish(SolveStatus::Indefinite, k, fmt::format("p'Ap = {:.1e} at iteration {}", curvature, k));
    const double alpha = delta_ / curvature;
    rr_ = linalg::advance(alpha, s_.p, s_.q, x_, s_.r, pool_);
    summary_.history.push_back(float(relative(rr_)));
    if (onResidual() && converged(ruled())) {  // and no direction to go on with
        if (control_.observer)
            control_.observer({k + 1, x_, s_.r, alpha, 0.0, relative(rr_), std::exchange(restarted_, false), delta_});
        return true;
    }
    timer_.lap();
    const double deltaOld = delta_;
    delta_ = problem_.preconditioner.applyDot(s_.r, s_.z, pool_);
    problem_.filter(s_.z);
    summary_.applySeconds += timer_.lap();
    if (failed(k + 1)) return false;
    if (delta_ < 0 && refuses(delta_)) return notPositive(k + 1);
    const double beta = delta_ / deltaOld;
    linalg::nextDirection(s_.z, beta, s_.p, pool_);
    if (control_.observer)
        control_.observer({k + 1, x_, s_.r, alpha, beta, relative(rr_), std::exchange(restarted_, false), deltaOld});
    return true;
}

void Loop::run() {
    start();
    // Squares of a right-hand side as small as that are zero, and so would be every residual.
    if (problem_.rhsNorm2 < std::numeric_limits<double>::min() && !s_.r.flat().isZero(0.0)) {
        finish(SolveStatus::Stalled, 0, "the right-hand side is so small that its square underflows");
        return;
    }
    for (int k = 0; goesOn(k) && iterate(k); ++k) {
    }
}

}  // namespace

CgRule makeCgRule(const SolverSettings& settings, const linalg::LinearSystem& system) {
    return {.stopping = settings.stopping,
            .tolerance = computeTolerance(settings, system),
            .maxIterations = settings.maxIterations,
            .goesOn = settings.indefinite == Indefinite::GoOn};
}

void conjugateGradients(const CgProblem& problem, const CgRule& rule, const CgIterate& iterate,
                        const SolveControl& control, WorkerPool& pool) {
    Loop(problem, rule, iterate, control, pool).run();
}

}  // namespace clothlab::solvers
