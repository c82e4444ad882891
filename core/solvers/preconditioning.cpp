#include "solvers/preconditioning.hpp"

#include <algorithm>

#include "linalg/vector_kernels.hpp"

namespace clothlab::solvers {

bool Preconditioning::refresh(SolveSummary& summary, WorkerPool& pool) {
    StageTimer timer;
    const auto outcome =
        view_ ? preconditioner_->updateView(*view_, pool) : preconditioner_->update(*matrix_, core_, pool);
    summary.factorSeconds += timer.lap();
    summary.bytes = preconditioner_->bytes();
    summary.icShift = outcome.shift;
    summary.factorAge = preconditioner_->age();
    if (!outcome.usable) {
        summary.status = SolveStatus::Breakdown;
        summary.message = outcome.message;
    }
    return outcome.usable;
}

bool Preconditioning::update(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, double icShift,
                             SolveSummary& summary, WorkerPool& pool) {
    matrix_ = &matrix;
    core_ = core;
    view_ = nullptr;
    return updateAll(icShift, summary, pool);
}

bool Preconditioning::update(const linalg::BlockMatrix& matrix, const linalg::ConstrainedView& view, double icShift,
                             SolveSummary& summary, WorkerPool& pool) {
    matrix_ = &matrix;
    core_ = nullptr;
    view_ = &view;
    return updateAll(icShift, summary, pool);
}

bool Preconditioning::updateAll(double icShift, SolveSummary& summary, WorkerPool& pool) {
    if (analyzedPattern_ != matrix_->pattern().revision) {
        StageTimer timer;
        preconditioner_->analyze(*matrix_, core_, pool);
        analyzedPattern_ = matrix_->pattern().revision;
        summary.analyzeSeconds += timer.lap();
    }
    preconditioner_->rememberShift(icShift);
    return refresh(summary, pool);
}

void Preconditioning::run(const CgProblem& problem, const CgRule& rule, linalg::BlockVector& x, CgScratch& scratch,
                          SolveSummary& summary, const SolveControl& control, WorkerPool& pool) {
    CgRule first = rule;
    const int patience = preconditioner_->age() > 0 ? preconditioner_->patience() : 0;
    if (patience > 0) first.maxIterations = std::min(rule.maxIterations, patience);
    conjugateGradients(problem, first, x, scratch, summary, control, pool);
    const bool again = first.maxIterations < rule.maxIterations &&
                       (summary.status == SolveStatus::MaxIterations || summary.status == SolveStatus::Stalled);
    if (!again) return;

    preconditioner_->forget();
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
    conjugateGradients(next, rest, x, scratch, summary, control, pool);
    summary.iterations += done;
    if (doneInDouble > 0) summary.doubleIterations = doneInDouble + summary.iterations - done;
    before.insert(before.end(), summary.history.begin() + 1, summary.history.end());
    summary.history = std::move(before);
}

}  // namespace clothlab::solvers
