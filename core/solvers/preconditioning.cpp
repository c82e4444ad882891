#include "solvers/preconditioning.hpp"

#include <algorithm>

#include "base/stage_timer.hpp"
#include "preconditioners/catalogue.hpp"

namespace clothlab::solvers {

Preconditioning::Preconditioning(const preconditioners::PreconditionerSettings& settings)
    : preconditioner_(preconditioners::makePreconditioner(settings)), traits_(preconditioners::traitsOf(settings)) {}

bool Preconditioning::refresh(SolveSummary& summary, WorkerPool& pool, bool same) {
    StageTimer timer;
    preconditioners::Outcome outcome;
    if (same && age_ != kNone) {
        outcome.shift = input_->shift;
    } else if (oldOneServes()) {
        ++age_;
    } else {
        outcome = preconditioner_->update(*input_, pool);
        age_ = outcome.usable ? 0 : kNone;
    }
    summary.factorSeconds += timer.lap();
    summary.bytes = preconditioner_->bytes();
    summary.icShift = outcome.shift;
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
    CgRule first = rule;
    const int patience = age_ > 0 ? traits_.lag->patience : 0;
    if (patience > 0) first.maxIterations = std::min(rule.maxIterations, patience);
    conjugateGradients(problem, first, iterate, control, pool);
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
    CgRule rest = rule;
    rest.maxIterations = rule.maxIterations - done;
    conjugateGradients(next, rest, iterate, control, pool);
    summary.iterations += done;
    if (doneInDouble > 0) summary.doubleIterations = doneInDouble + summary.iterations - done;
    before.insert(before.end(), summary.history.begin() + 1, summary.history.end());
    summary.history = std::move(before);
}

}  // namespace clothlab::solvers
