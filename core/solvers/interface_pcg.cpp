#include "solvers/interface_pcg.hpp"

#include <cmath>
#include <utility>

#include "linalg/vector_kernels.hpp"
#include "solvers/verdict.hpp"

namespace clothlab::solvers {

using linalg::BlockVector;

bool InterfacePcg::factorize(SolveSummary& summary, WorkerPool& pool) {
    summary.message = parts_.factorize(reduced_.matrix(), pool);
    if (summary.message.empty()) summary.message = preconditioner_.update({.matrix = reduced_.matrix()}, pool).message;
    if (!summary.message.empty()) summary.status = SolveStatus::Breakdown;
    return summary.message.empty();
}

bool InterfacePcg::prepare(const linalg::LinearSystem& system, SolveSummary& summary, WorkerPool& pool) {
    StageTimer timer;
    if (const std::uint64_t revision = reduced_.matrix().pattern().revision; analyzed_ != revision) {
        parts_.analyze(reduced_.matrix(), settings_.domains, pool);
        preconditioner_.analyze(reduced_.matrix(), nullptr, pool);
        analyzed_ = revision;
        factored_ = false;
    }
    summary.analyzeSeconds = timer.lap();
    if (!(system.sameMatrix && factored_)) factored_ = factorize(summary, pool);
    summary.factorSeconds += timer.lap();
    summary.domains = Index(parts_.domains().size());
    summary.interfaceRows = Index(parts_.interfaceRows().size());
    summary.fill = parts_.fill() + preconditioner_.fill();
    summary.flops = parts_.flops() + preconditioner_.flops();
    summary.bytes = parts_.bytes() + preconditioner_.bytes();
    return factored_;
}

void InterfacePcg::residual(const BlockVector& x, BlockVector& r, WorkerPool& pool) const {
    parts_.multiplyDot(x, r, pool);
    linalg::subtractFrom(g_, r, pool);
}

/// Begins at zero on the interface, or where the step before ended if that is better, as MPCG and reduced PCG do.
void InterfacePcg::start(const linalg::LinearSystem& system, CgProblem& problem, WorkerPool& pool) {
    x_.setZero();
    scratch_.r = g_;
    const bool warm =
        (settings_.warmStart || system.startsThere) && system.previous && system.previous->size() == system.A.rows();
    if (!warm && settings_.stopping == Stopping::Residual) return;
    problem.rhsPNorm = preconditioner_.applyDot(g_, scratch_.z, pool);
    problem.startDot = problem.rhsPNorm;
    if (!warm) return;
    reduced_.restrict(*system.previous, full_);
    const std::span<const Index> rows = parts_.interfaceRows();
    for (Index k = 0; k < Index(rows.size()); ++k) warm_[k] = full_[rows[k]];
    residual(warm_, warmResidual_, pool);
    const double dot = preconditioner_.applyDot(warmResidual_, scratch_.z, pool);
    problem.startDot.reset();
    if (!(dot < problem.rhsPNorm)) return;
    problem.startDot = dot;
    std::swap(x_, warm_);
    std::swap(scratch_.r, warmResidual_);
}

void InterfacePcg::solveInterface(const linalg::LinearSystem& system, SolveSummary& summary,
                                  const SolveControl& control, WorkerPool& pool) {
    StageTimer timer;
    const auto rows = Index(parts_.interfaceRows().size());
    for (BlockVector* v : {&x_, &warm_, &warmResidual_, &scratch_.r, &scratch_.q, &scratch_.z})
        if (v->size() != rows) v->resize(rows);
    parts_.condense(reduced_.rhs(), g_, pool);
    CgProblem problem{
        .multiply = [&](const BlockVector& p, BlockVector& q) { return parts_.multiplyDot(p, q, pool); },
        .filter = [](BlockVector&) {},
        .residual = [&](const BlockVector& x, BlockVector& r) { residual(x, r, pool); },
        .rightHandSide = [&](BlockVector& b) { b = g_; },
        .preconditioner = preconditioner_,
        .rhsNorm2 = linalg::dot(reduced_.rhs(), reduced_.rhs(), pool),
    };
    start(system, problem, pool);
    summary.applySeconds += timer.lap();
    conjugateGradients(problem, {settings_.stopping, computeTolerance(settings_, system), settings_.maxIterations},
                       {x_, scratch_, summary}, control, pool);
}

/// |b - A y| / |b| of the reduced system; its interiors have the round-off of their factors.
double InterfacePcg::wholeResidual(WorkerPool& pool) {
    if (full_.size() != reduced_.rows()) full_.resize(reduced_.rows());
    linalg::multiply(reduced_.matrix(), y_, full_, pool);
    linalg::subtractFrom(reduced_.rhs(), full_, pool);
    const double top = linalg::dot(full_, full_, pool), bottom = linalg::dot(reduced_.rhs(), reduced_.rhs(), pool);
    if (!std::isfinite(top) || !std::isfinite(bottom)) return NAN;
    return bottom > 0 ? std::sqrt(top / bottom) : (top > 0 ? INFINITY : 0.0);
}

void InterfacePcg::run(const linalg::LinearSystem& system, BlockVector& deltaV, SolveSummary& summary,
                       const SolveControl& control, WorkerPool& pool) {
    StageTimer total, timer;
    reduced_.build(system, pool);
    summary.factorSeconds = timer.lap();
    if (reduced_.rows() == 0) {  // everything is prescribed
        system.constraints.prescribed(deltaV);
        summary.totalSeconds = total.seconds();
        return conclude(summary, 0, computeTolerance(settings_, system));
    }
    if (prepare(system, summary, pool)) {
        solveInterface(system, summary, control, pool);
        if (acceptable(summary.status)) {
            timer.lap();
            parts_.extend(reduced_.rhs(), x_, y_, pool);
            summary.applySeconds += timer.lap();
            const double found = wholeResidual(pool);
            if (settings_.stopping == Stopping::Residual)
                conclude(summary, found, computeTolerance(settings_, system));
            else
                summary.trueRelativeResidual = found;
            reduced_.expand(y_, deltaV);
        }
    }
    summary.totalSeconds = total.seconds();
}

void InterfacePcg::toDeltaV(const BlockVector& iterate, BlockVector& deltaV) const {
    WorkerPool alone(1);
    parts_.extend(reduced_.rhs(), iterate, y_, alone);
    reduced_.expand(y_, deltaV);
}

}  // namespace clothlab::solvers
