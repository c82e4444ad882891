#include "experiments/step_minimum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

#include "base/stage_timer.hpp"
#include "integrators/step_objective.hpp"
#include "linalg/vector_kernels.hpp"
#include "solvers/catalogue.hpp"
#include "solvers/kind.hpp"

namespace clothlab::experiments {
namespace {

using integrators::StepObjective;

constexpr double kEnough = 1e-10;     // of the gradient: then it is found
constexpr double kCloseBy = 1e-6;     // the same where round-off of g ends the search
constexpr double kShortest = 1e-7;    // of the line search
constexpr int kClampedFirst = 10;     // iterations
constexpr double kLeastShare = 0.05;  // of the exact Hessian; below this it is left out

class Minimization {
public:
    Minimization(StepObjective& objective, linalg::BlockVector x, double dt, WorkerPool& pool)
        : objective_(objective), pool_(pool), dt_(dt) {
        solvers::Method method;
        method.solver.kind = solvers::SolverKind::Cholesky;
        solver_ = solvers::makeSolver(method);
        free_.reset(x.size());
        for (linalg::DofConstraint c : objective.stage().constraints().constrained()) {
            c.z.setZero();
            free_.set(c);
        }
        free_.sort();
        b_.resize(x.size());
        trial_.resize(x.size());
        value_ = objective.value(x, pool);
        x_ = std::move(x);
    }

    /// |S grad g|.
    double measure() {
        objective_.gradient(x_, gradient_, pool_);
        objective_.filter(gradient_);
        return std::sqrt(linalg::dot(gradient_, gradient_, pool_));
    }
    bool iterate(int k) {
        if (k == kClampedFirst) share_ = 0.5;
        return findDirection() && searchLine();
    }
    double value() const { return value_; }
    linalg::BlockVector takeX() { return std::move(x_); }

private:
    bool findDirection();
    bool solve(const linalg::BlockMatrix& H);
    bool searchLine();
    void mix();

    StepObjective& objective_;
    WorkerPool& pool_;
    double dt_ = 0, value_ = 0, share_ = 0;
    std::unique_ptr<solvers::Solver> solver_;
    linalg::DofConstraints free_;
    linalg::BlockMatrix clamped_, exact_, mixed_;
    linalg::BlockVector x_, gradient_, b_, deltaV_, trial_;
};

/// t H + (1 - t) H_c
void Minimization::mix() {
    mixed_ = exact_;
    for (Index p = 0; p < mixed_.pattern().blocks(); ++p) {
        if (!exact_.occupied(p) && !clamped_.occupied(p)) continue;
        mixed_.block(p) = share_ * exact_.block(p) + (1 - share_) * clamped_.block(p);
        mixed_.setOccupied(p, true);
    }
}

bool Minimization::solve(const linalg::BlockMatrix& H) {
    const linalg::LinearSystem system{.A = H, .b = b_, .constraints = free_, .dt = dt_};
    solvers::SolveSummary summary;
    solver_->solve(system, deltaV_, summary, {}, pool_);
    return solvers::acceptable(summary.status) && linalg::dot(deltaV_, gradient_, pool_) < 0;
}

bool Minimization::findDirection() {
    b_.flat() = gradient_.flat() * (-1 / objective_.a());
    objective_.hessian(x_, StepObjective::Curvature::Definite, clamped_, pool_);
    if (share_ > 0) objective_.hessian(x_, StepObjective::Curvature::Exact, exact_, pool_);
    for (; share_ > kLeastShare; share_ *= 0.8) {
        if (share_ < 1) mix();
        if (solve(share_ < 1 ? mixed_ : exact_)) return true;
    }
    share_ = 0;
    return solve(clamped_);
}

/// Armijo. Where the whole step does not do, the matrix is already too bold.
bool Minimization::searchLine() {
    const double slope = objective_.a() * linalg::dot(gradient_, deltaV_, pool_);
    const double blur = 16 * std::numeric_limits<double>::epsilon() * std::abs(value_);
    for (double length = 1; length > kShortest; length /= 2) {
        trial_.flat() = x_.flat() + length * objective_.a() * deltaV_.flat();
        const double value = objective_.value(trial_, pool_);
        if (!(value <= value_ + 1e-4 * length * slope + blur)) continue;
        std::swap(x_, trial_);
        value_ = value;
        if (length > 0.3 && share_ > 0) share_ = std::min(1.0, share_ + 0.5 * (1 - share_) + 1e-3);
        return true;
    }
    return false;
}

}  // namespace

StepMinimum minimize(StepObjective& objective, linalg::BlockVector x, double dt, const MinimumControl& control,
                     WorkerPool& pool) {
    StepMinimum out;
    Minimization search(objective, std::move(x), dt, pool);
    double first = 0;
    const auto timed = [&](const auto& work) {
        if (control.hold) control.hold();
        const StageTimer timer;
        const bool result = work();
        out.milliseconds += 1e3 * timer.seconds();
        if (control.release) control.release();
        return result;
    };
    for (bool moves = true;; ++out.iterations) {
        double norm = 0;
        timed([&] { return (norm = search.measure()) > 0; });
        if (out.iterations == 0) first = norm;
        out.gradient = first > 0 ? norm / first : norm;
        if (control.onIteration) control.onIteration(out.iterations, out.gradient);
        out.found = out.gradient <= (moves ? kEnough : kCloseBy);
        if (out.found || !moves || !std::isfinite(norm) || control.stop.stop_requested() ||
            out.iterations == control.maxIterations || out.milliseconds > 1e3 * control.maxSeconds)
            break;
        moves = timed([&] { return search.iterate(out.iterations); });
        if (!moves) --out.iterations;
    }
    out.value = search.value();
    out.x = search.takeX();
    return out;
}

}  // namespace clothlab::experiments
