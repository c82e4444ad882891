#include "solvers/direct.hpp"

#include "base/stage_timer.hpp"
#include "factors/cholmod_factor.hpp"
#include "linalg/constrained_matrix.hpp"
#include "solvers/verdict.hpp"
#include "solvers/yardstick.hpp"

namespace clothlab::solvers {

/// S (b - A (I-S) z) + s (I - S) z, with s as in `constrainedMatrix`.
void Direct::constrainedRhs(const linalg::LinearSystem& system) {
    linalg::BlockVector& z = y_;
    system.constraints.prescribed(z);
    rhs_.resize(system.A.rows());
    multiply(system.A, z, rhs_);
    rhs_.flat() = system.b.flat() - rhs_.flat();
    system.constraints.filter(rhs_);
    for (const linalg::DofConstraint& c : system.constraints.constrained())
        rhs_[c.particle] += linalg::constrainedScale(system.A.diagonal(c.particle)) * z[c.particle];
}

bool Direct::factorize(const linalg::BlockMatrix& A, SolveSummary& summary, WorkerPool& pool) {
    StageTimer timer;
    const bool analyzed = factor_->analyze(A.pattern());
    summary.analyzeSeconds += timer.lap();
    const bool factored = analyzed && factor_->factorize(A, pool);
    summary.factorSeconds += timer.lap();
    return factored;
}

bool Direct::factorAndSolve(const linalg::BlockMatrix& A, const linalg::BlockVector& b, linalg::BlockVector& x,
                            bool same, SolveSummary& summary, WorkerPool& pool) {
    if (!(same && factored_)) factored_ = factorize(A, summary, pool);
    StageTimer timer;
    if (!factored_ || !factor_->solve(b, x, pool)) return false;
    summary.applySeconds += timer.lap();
    summary.fill = factor_->fill();
    summary.flops = factor_->flops();
    summary.bytes = factor_->bytes();
    return true;
}

void Direct::run(const linalg::LinearSystem& system, linalg::BlockVector& deltaV, SolveSummary& summary,
                 const SolveControl&, WorkerPool& pool) {
    StageTimer total, timer;
    bool done = true;
    if (settings_.form == DirectForm::FixedPattern) {
        linalg::constrainedMatrix(system.A, system.constraints, constrained_, pool);
        constrainedRhs(system);
        summary.factorSeconds = timer.lap();
        done = factorAndSolve(constrained_, rhs_, deltaV, system.sameMatrix, summary, pool);
    } else {
        reduced_.build(system, pool);
        summary.factorSeconds = timer.lap();
        if (reduced_.rows() == 0)  // everything is prescribed; there are no empty factors
            system.constraints.prescribed(deltaV);
        else if ((done = factorAndSolve(reduced_.matrix(), reduced_.rhs(), y_, system.sameMatrix, summary, pool)))
            reduced_.expand(y_, deltaV);
    }
    summary.totalSeconds = total.seconds();
    if (done) return conclude(summary, trueRelativeResidual(system, deltaV), computeTolerance(settings_, system));
    summary.status = SolveStatus::Breakdown;
    summary.message = factor_->message();
}

namespace {

class Cholmod final : public DirectFactor {
public:
    explicit Cholmod(const SolverSettings& settings)
        : ordering_(settings.ordering), factorization_(settings.factorization) {}
    bool analyze(const linalg::BlockPattern& pattern) override {
        return factor_.analyze(pattern, ordering_, factorization_);
    }
    bool factorize(const linalg::BlockMatrix& A, WorkerPool& pool) override { return factor_.factorize(A, pool); }
    bool solve(const linalg::BlockVector& b, linalg::BlockVector& x, WorkerPool& pool) override {
        return factor_.solve(b, x, pool);
    }
    double fill() const override { return factor_.fill(); }
    double flops() const override { return factor_.flops(); }
    std::size_t bytes() const override { return factor_.bytes(); }
    std::string message() const override { return factor_.message(); }

private:
    Ordering ordering_;
    Factorization factorization_;
    factors::CholmodFactor factor_;
};

}  // namespace

std::unique_ptr<DirectFactor> makeCholmod(const SolverSettings& settings) {
    return std::make_unique<Cholmod>(settings);
}

}  // namespace clothlab::solvers
