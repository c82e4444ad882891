#include "solvers/conjugate_gradients.hpp"

#include <fmt/format.h>

#include <cmath>

#include "linalg/vector_kernels.hpp"

namespace clothlab::solvers {
namespace {

/// A stall: the best residual has fallen by less than 1 % in 500 iterations.
class StallGuard {
public:
    bool stalled(int iteration, double residual2) {
        if (residual2 < 0.99 * 0.99 * best2_) {
            best2_ = residual2;
            since_ = iteration;
        }
        return iteration - since_ >= 500;
    }

private:
    double best2_ = 1e300;
    int since_ = 0;
};

}  // namespace

void conjugateGradients(const CgProblem& problem, const CgRule& rule, linalg::BlockVector& x, CgScratch& s,
                        SolveSummary& summary, const SolveControl& control, WorkerPool& pool) {
    const auto finish = [&](SolveStatus status, int iterations, std::string message = {}) {
        summary.status = status;
        summary.iterations = iterations;
        summary.message = std::move(message);
    };
    const double rhsNorm = summary.rhsNorm = std::sqrt(problem.rhsNorm2);
    const double tolerance2 = rule.tolerance * rule.tolerance;
    const double residualLimit = tolerance2 * problem.rhsNorm2;
    const double pLimit = rule.stopping == Stopping::Absolute ? tolerance2 : tolerance2 * problem.rhsPNorm;
    const auto relative = [&](double rr) { return rhsNorm > 0 ? std::sqrt(rr) / rhsNorm : (rr > 0 ? 1e300 : 0.0); };

    StageTimer timer;
    double rr = linalg::dot(s.r, s.r, pool);
    double delta = problem.startDot ? *problem.startDot : problem.preconditioner.applyDot(s.r, s.z, pool);
    problem.filter(s.z);
    s.p = s.z;
    summary.applySeconds += timer.lap();
    summary.history.clear();
    summary.history.reserve(static_cast<std::size_t>(std::min(rule.maxIterations, 100000)) + 1);
    summary.history.push_back(static_cast<float>(relative(rr)));
    if (control.observer) control.observer({0, x, s.r, 0.0, 0.0, relative(rr)});

    StallGuard stall;
    int verifiedBelow = 0;
    for (int k = 0;; ++k) {
        if (!std::isfinite(rr) || !std::isfinite(delta)) return finish(SolveStatus::NotFinite, k, fmt::format("not finite at iteration {}", k));
        const bool holds = rule.stopping == Stopping::Residual ? rr <= residualLimit : delta <= pLimit;
        if (holds) {
            if (rule.stopping != Stopping::Residual) return finish(SolveStatus::Converged, k);
            // The recursion drifts from b - A x: the rule is on the true residual, so look before believing it.
            problem.residual(x, s.r);
            rr = linalg::dot(s.r, s.r, pool);
            if (rr <= residualLimit) {
                summary.history.back() = static_cast<float>(relative(rr));
                summary.trueRelativeResidual = relative(rr);
                return finish(SolveStatus::Converged, k);
            }
            if (++verifiedBelow > 5)
                return finish(SolveStatus::Stalled, k, fmt::format("round-off: the true residual stays at {:.1e}", relative(rr)));
            delta = problem.preconditioner.applyDot(s.r, s.z, pool);
            problem.filter(s.z);
            s.p = s.z;
        }
        if (k >= rule.maxIterations) return finish(SolveStatus::MaxIterations, k);
        if (stall.stalled(k, rr)) return finish(SolveStatus::Stalled, k, "the residual no longer falls");
        if (control.stop.stop_requested()) return finish(SolveStatus::Cancelled, k);

        timer.lap();
        const double curvature = problem.multiply(s.p, s.q);
        problem.filter(s.q);
        summary.multiplySeconds += timer.lap();
        if (!(curvature > 0.0)) {
            if (!std::isfinite(curvature)) return finish(SolveStatus::NotFinite, k, fmt::format("not finite at iteration {}", k));
            return finish(SolveStatus::Indefinite, k, fmt::format("p'Ap = {:.1e} at iteration {}", curvature, k));
        }
        const double alpha = delta / curvature;
        rr = linalg::advance(alpha, s.p, s.q, x, s.r, pool);
        summary.history.push_back(static_cast<float>(relative(rr)));
        if (rule.stopping == Stopping::Residual && rr <= residualLimit) {  // and no direction to go on with
            if (control.observer) control.observer({k + 1, x, s.r, alpha, 0.0, relative(rr)});
            continue;
        }
        timer.lap();
        const double deltaOld = delta;
        delta = problem.preconditioner.applyDot(s.r, s.z, pool);
        problem.filter(s.z);
        summary.applySeconds += timer.lap();
        if (!(delta >= 0.0) && std::isfinite(delta))
            return finish(SolveStatus::Breakdown, k + 1, fmt::format("r'P^-1 r = {:.1e} at iteration {}: the preconditioner is not positive", delta, k + 1));
        const double beta = delta / deltaOld;
        linalg::nextDirection(s.z, beta, s.p, pool);
        if (control.observer) control.observer({k + 1, x, s.r, alpha, beta, relative(rr)});
    }
}

}  // namespace clothlab::solvers
