#include "solvers/preconditioning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "base/stage_timer.hpp"
#include "linalg/vector_kernels.hpp"
#include "preconditioners/catalogue.hpp"

namespace clothlab::solvers {

Preconditioning::Preconditioning(const preconditioners::PreconditionerSettings& settings)
    : preconditioner_(preconditioners::makePreconditioner(settings)),
      traits_(preconditioners::traitsFor(settings)),
      unseen_(!preconditioners::isBuiltIn(settings.kind)) {}

/// What is wrong with a preconditioner that no test of ours has seen: u.P^-1 v = v.P^-1 u does not hold for random u
/// and v. Smooth ones, as first residuals are, would hide a forgotten transpose. Empty = nothing.
std::string Preconditioning::faultOnSight(WorkerPool& pool) const {
    constexpr double kAsymmetric = 1e-3;  // of what u.P^-1 v is likely to be; single precision stays far below
    const Index rows = input_->matrix.rows();
    linalg::BlockVector u(rows), v(rows), Pu(rows), Pv(rows);
    std::minstd_rand random(1);
    for (linalg::BlockVector* probe : {&u, &v})
        for (double& x : probe->flat()) x = 2 * double(random()) / double(std::minstd_rand::max()) - 1;
    preconditioner_->applyDot(u, Pu, pool);
    preconditioner_->applyDot(v, Pv, pool);
    if (const std::string_view why = preconditioner_->failure(); !why.empty()) return std::string(why);
    const double one = linalg::dot(u, Pv, pool), other = linalg::dot(v, Pu, pool);
    const double usual = std::sqrt(linalg::dot(u, u, pool) * linalg::dot(Pv, Pv, pool) / double(3 * rows));
    if (!(std::abs(one - other) > kAsymmetric * usual)) return {};
    return fmt::format("not symmetric: u.P^-1 v = {:.3e} and v.P^-1 u = {:.3e} for random u and v", one, other);
}

bool Preconditioning::refresh(SolveSummary& summary, WorkerPool& pool, bool same) {
    StageTimer timer;
    preconditioners::Outcome outcome;
    if (same && age_ != kNone) {
        outcome = made_;
        outcome.shift = input_->shift;
    } else if (oldOneServes()) {
        outcome = preconditioner_->keep(*input_, pool);
        age_ = outcome.usable ? age_ + 1 : kNone;
    } else {
        outcome = preconditioner_->update(*input_, pool);
        age_ = outcome.usable ? 0 : kNone;
        made_ = outcome;
    }
    summary.factorSeconds += timer.lap();
    if (outcome.usable && std::exchange(unseen_, false)) {
        outcome.message = faultOnSight(pool);
        outcome.usable = outcome.message.empty();
        if (!outcome.usable) unseen_ = true, age_ = kNone;
    }
    summary.bytes = preconditioner_->bytes();
    summary.icShift = outcome.shift;
    summary.fill = outcome.entries;
    summary.relativeFill = outcome.fill;
    if (const preconditioners::CoarseLevel* coarse = preconditioner_->coarseLevel()) {
        summary.coarseUnknowns = coarse->unknowns;
        summary.coarseSeconds = coarse->seconds;
        summary.aggregateOf = coarse->aggregateOf;
    }
    summary.factorAge = std::max(age_, 0);
    if (!outcome.usable) {
        summary.status = SolveStatus::Breakdown;
        summary.message = outcome.message;
    }
    return outcome.usable;
}

bool Preconditioning::update(const preconditioners::UpdateInput& input, SolveSummary& summary, WorkerPool& pool,
                             bool same) {
    input_.emplace(input);
    if (const std::uint64_t pattern = input.matrix.pattern().revision; analyzedPattern_ != pattern) {
        StageTimer timer;
        preconditioner_->analyze(input.matrix, input.core, pool);
        forget();
        analyzedPattern_ = pattern;
        summary.analyzeSeconds += timer.lap();
    }
    return refresh(summary, pool, same);
}

void Preconditioning::run(const CgProblem& problem, const CgRule& rule, const CgIterate& iterate,
                          const SolveControl& control, WorkerPool& pool) {
    auto& [x, scratch, summary] = iterate;
    CgProblem begun = problem;
    if (preconditioner_->correctStart(x, scratch.r, pool)) begun.startDot.reset();
    CgRule first = rule;
    const int patience = age_ > 0 ? traits_.lag->patience : 0;
    if (patience > 0) first.maxIterations = std::min(rule.maxIterations, patience);
    conjugateGradients(begun, first, iterate, control, pool);
    const bool again = first.maxIterations < rule.maxIterations &&
                       (summary.status == SolveStatus::MaxIterations || summary.status == SolveStatus::Stalled);
    if (!again) return;

    forget();
    if (!refresh(summary, pool)) return;
    const int done = summary.iterations, doneInDouble = summary.doubleIterations;
    std::vector<float> before = std::move(summary.history);
    CgProblem next = problem;
    next.startDot.reset();
    if (doneInDouble > 0) next.sharpen = {};
    if (rule.stopping == Stopping::PNorm) {
        problem.rightHandSide(scratch.r);
        next.rhsPNorm = preconditioner_->applyDot(scratch.r, scratch.z, pool);
    }
    problem.residual(x, scratch.r);
    preconditioner_->correctStart(x, scratch.r, pool);
    CgRule rest = rule;
    rest.maxIterations = rule.maxIterations - done;
    conjugateGradients(next, rest, iterate, control, pool);
    summary.iterations += done;
    if (doneInDouble > 0) summary.doubleIterations = doneInDouble + summary.iterations - done;
    before.insert(before.end(), summary.history.begin() + 1, summary.history.end());
    summary.history = std::move(before);
}

}  // namespace clothlab::solvers
