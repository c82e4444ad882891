#include "solvers/mpcg.hpp"

#include "linalg/vector_kernels.hpp"
#include "solvers/verdict.hpp"

namespace clothlab::solvers {

bool Mpcg::prepare(const linalg::LinearSystem& system, SolveSummary& summary, WorkerPool& pool) {
    StageTimer timer;
    using enum preconditioners::MatrixForm;
    const preconditioners::PreconditionerTraits& traits = preconditioning_.traits();
    if (traits.form == ConstrainedDiagonal)
        linalg::constrainedDiagonal(system.A, system.constraints, constrained_, pool);
    if (traits.form == PublishedDiagonal)
        linalg::constrainedDiagonal(system.A, system.constraints, constrained_, pool, linalg::publishedBlock);
    if (traits.form == Constrained) linalg::constrainedMatrix(system.A, system.constraints, constrained_, pool);
    if (traits.form == ConstrainedView) view_.build(system.A, system.constraints, pool);
    const linalg::CoreMask* core = traits.onlyConstrained() || traits.form == ConstrainedView ? nullptr : system.core;
    const std::uint8_t coreBits = traits.outsideBits();
    if (core && coreBits) {
        if (core_.revision != core->revision) core_ = *core;
        linalg::outsideOfCore(system.A, *core, coreBits, core_.outside, pool);
        for (const linalg::DofConstraint& c : system.constraints.constrained()) {
            Mat3& own = core_.outside[c.particle];
            own = (c.S() * own * c.S()).eval();
        }
        core = &core_;
    }
    if (traits.deflates) frames_.setFullSystem(system.A, system.constraints, system.positions);
    matrix_.build(system.A, {settings_.matrixPrecision, settings_.matrixStorage}, pool, &system.constraints);
    summary.factorSeconds = timer.lap();
    const bool copied = traits.form != Plain && traits.form != ConstrainedView;
    return preconditioning_.update({.matrix = copied ? constrained_ : system.A,
                                    .core = core,
                                    .view = traits.form == ConstrainedView ? &view_ : nullptr,
                                    .shift = system.icShift,
                                    .frames = traits.deflates ? &frames_ : nullptr},
                                   summary, pool, system.sameMatrix);
}

void Mpcg::residual(const linalg::LinearSystem& system, const linalg::BlockVector& x, linalg::BlockVector& r,
                    WorkerPool& pool) {
    matrix_.residual(system.b, x, r, pool);
    system.constraints.filter(r, pool);
}

void Mpcg::rightHandSide(const linalg::LinearSystem& system, linalg::BlockVector& x, linalg::BlockVector& rhs,
                         WorkerPool& pool) {
    system.constraints.prescribed(x);  // (I-S) z, as stored
    if (settings_.mpcgVariant == MpcgVariant::Corrected) return residual(system, x, rhs, pool);
    rhs = system.b;
    system.constraints.filter(rhs);
}

void Mpcg::start(const linalg::LinearSystem& system, linalg::BlockVector& x, WorkerPool& pool, double& rhsNorm2,
                 double& rhsPNorm) {
    linalg::BlockVector& r = scratch_.r;
    rightHandSide(system, x, r, pool);
    rhsNorm2 = linalg::dot(r, r, pool);
    if (settings_.mpcgVariant == MpcgVariant::Original) {
        rhsPNorm = preconditioning_.get().applyDot(r, scratch_.z, pool);
        return residual(system, x, r, pool);
    }
    const bool warm =
        (settings_.warmStart || system.startsThere) && system.previous && system.previous->size() == x.size();
    if (!warm && settings_.stopping == Stopping::Residual) return;
    rhsPNorm = preconditioning_.get().applyDot(r, scratch_.z, pool);
    if (!warm) return;
    warm_ = *system.previous;
    system.constraints.filterAndPrescribe(warm_);
    residual(system, warm_, warmResidual_, pool);
    if (preconditioning_.get().applyDot(warmResidual_, scratch_.z, pool) < rhsPNorm) {
        std::swap(x, warm_);
        std::swap(r, warmResidual_);
    }
}

void Mpcg::run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
               const SolveControl& control, WorkerPool& pool) {
    StageTimer total;
    const Index n = system.A.rows();
    for (linalg::BlockVector* v : {&deltaV, &scratch_.r, &scratch_.q, &scratch_.z, &warmResidual_})
        if (v->size() != n) v->resize(n);
    if (prepare(system, summary, pool)) {
        double rhsNorm2 = 0, rhsPNorm = 0;
        start(system, deltaV, pool, rhsNorm2, rhsPNorm);
        const CgProblem problem{
            .multiply = [&](const linalg::BlockVector& p,
                            linalg::BlockVector& q) { return matrix_.multiplyDot(p, q, pool); },
            .filter = [&](linalg::BlockVector& v) { system.constraints.filter(v, pool); },
            .residual = [&](const linalg::BlockVector& x, linalg::BlockVector& r) { residual(system, x, r, pool); },
            .rightHandSide = [&](linalg::BlockVector& b) { rightHandSide(system, warm_, b, pool); },
            .preconditioner = preconditioning_.get(),
            .rhsNorm2 = rhsNorm2,
            .rhsPNorm = rhsPNorm,
            .sharpen = matrix_.exact() ? std::function<bool()>{} : [&] { return matrix_.sharpen(pool); },
        };
        preconditioning_.run(problem, makeCgRule(settings_, system), {deltaV, scratch_, summary}, control, pool);
        // Its residuals are relative to S b; the true one is measured from outside.
        if (settings_.mpcgVariant == MpcgVariant::Original) summary.trueRelativeResidual = -1;
    }
    summary.totalSeconds = total.seconds();
}

}  // namespace clothlab::solvers
