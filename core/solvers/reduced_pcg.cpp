#include "solvers/reduced_pcg.hpp"

#include <algorithm>

#include "linalg/vector_kernels.hpp"
#include "solvers/verdict.hpp"

namespace clothlab::solvers {

namespace {

bool nothingFree(const linalg::LinearSystem& system) {
    const auto ndofs = system.constraints.ndofs();
    return std::all_of(ndofs.begin(), ndofs.end(), [](std::uint8_t ndof) { return ndof == 0; });
}

}  // namespace

bool ReducedPcg::prepare(const linalg::LinearSystem& system, SolveSummary& summary, WorkerPool& pool) {
    StageTimer timer;
    if (std::string problem = reduced_.build(system, pool, settings_.basis); !problem.empty()) {
        summary.status = SolveStatus::Breakdown;
        summary.message = std::move(problem);
        return false;
    }
    const std::uint8_t coreBits = preconditioning_.traits().outsideBits();
    if (system.core && coreBits) reduced_.reduceOutside(system, coreBits, pool);
    if (preconditioning_.traits().deflates) reduced_.fillFrames(system.positions, frames_);
    summary.factorSeconds = timer.lap();
    if (!preconditioning_.update({.matrix = reduced_.matrix(),
                                  .core = system.core ? &reduced_.core() : nullptr,
                                  .shift = system.icShift,
                                  .frames = preconditioning_.traits().deflates ? &frames_ : nullptr},
                                 summary, pool, system.sameMatrix))
        return false;
    timer.lap();
    if (permuted()) {
        permutation_.build(reduced_.matrix(), preconditioning_.get().order(), pool);
        permutation_.permute(reduced_.rhs(), rhs_);
    }
    matrix_.build(permuted() ? permutation_.matrix() : reduced_.matrix(),
                  {settings_.matrixPrecision, settings_.matrixStorage}, pool);
    summary.factorSeconds += timer.lap();
    return true;
}

void ReducedPcg::restrict(const linalg::BlockVector& full, linalg::BlockVector& y) {
    if (!permuted()) return reduced_.restrict(full, y);
    reduced_.restrict(full, inRows_);
    permutation_.permute(inRows_, y);
}

const linalg::BlockVector& ReducedPcg::inRowOrder(const linalg::BlockVector& y) const {
    if (!permuted()) return y;
    permutation_.restore(y, inRows_);
    return inRows_;
}

void ReducedPcg::residual(const linalg::BlockVector& y, linalg::BlockVector& r, WorkerPool& pool) {
    matrix_.residual(rhs(), y, r, pool);
}

ReducedPcg::Start ReducedPcg::start(const linalg::LinearSystem& system, WorkerPool& pool) {
    y_.setZero();
    scratch_.r = rhs();
    Start start;
    start.rhsNorm2 = linalg::dot(scratch_.r, scratch_.r, pool);
    const bool warm =
        (settings_.warmStart || system.startsThere) && system.previous && system.previous->size() == system.A.rows();
    if (!warm && settings_.stopping == Stopping::Residual) return start;
    start.rhsPNorm = preconditioning_.get().applyDot(scratch_.r, scratch_.z, pool);
    start.dot = start.rhsPNorm;
    if (!warm) return start;
    restrict(*system.previous, warm_);
    residual(warm_, warmResidual_, pool);
    // The same guard as MPCG: a start that is worse than zero (an impact) is not taken.
    const double dot = preconditioning_.get().applyDot(warmResidual_, scratch_.z, pool);
    start.dot.reset();
    if (!(dot < start.rhsPNorm)) return start;
    start.dot = dot;
    std::swap(y_, warm_);
    std::swap(scratch_.r, warmResidual_);
    return start;
}

void ReducedPcg::run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
                     const SolveControl& control, WorkerPool& pool) {
    StageTimer total;
    if (nothingFree(system)) {
        system.constraints.prescribed(deltaV);  // there is no system left to reduce
        summary.totalSeconds = total.seconds();
        return conclude(
            summary, 0,
            computeTolerance(settings_, system));  // z is finite, or the constraints would not be well formed
    }
    if (prepare(system, summary, pool)) {
        const Index n = reduced_.rows();
        for (linalg::BlockVector* v : {&y_, &scratch_.r, &scratch_.q, &scratch_.z, &warmResidual_})
            if (v->size() != n) v->resize(n);
        const Start begin = start(system, pool);
        const CgProblem problem{
            .multiply = [&](const linalg::BlockVector& p,
                            linalg::BlockVector& q) { return matrix_.multiplyDot(p, q, pool); },
            .filter = [](linalg::BlockVector&) {},
            .residual = [&](const linalg::BlockVector& y, linalg::BlockVector& r) { residual(y, r, pool); },
            .rightHandSide = [&](linalg::BlockVector& b) { b = rhs(); },
            .preconditioner = preconditioning_.get(),
            .rhsNorm2 = begin.rhsNorm2,
            .rhsPNorm = begin.rhsPNorm,
            .startDot = begin.dot,
            .sharpen = matrix_.exact() ? std::function<bool()>{} : [&] { return matrix_.sharpen(pool); },
        };
        preconditioning_.run(problem, makeCgRule(settings_, system), {y_, scratch_, summary}, control, pool);
        reduced_.expand(inRowOrder(y_), deltaV);
    }
    summary.totalSeconds = total.seconds();
}

}  // namespace clothlab::solvers
