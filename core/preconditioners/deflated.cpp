#include "preconditioners/deflated.hpp"

#include "base/stage_timer.hpp"
#include "linalg/vector_kernels.hpp"

namespace clothlab::preconditioners {

Outcome Deflated::update(const UpdateInput& input, WorkerPool& pool) {
    Outcome outcome = inner_->update(input, pool);
    if (!outcome.usable) return outcome;
    const Outcome coarse = keep(input, pool);
    outcome.usable = coarse.usable;
    outcome.message = coarse.message;
    return outcome;
}

Outcome Deflated::keep(const UpdateInput& input, WorkerPool& pool) {
    deflating_ = false;
    if (!input.frames) return {false, "deflation does not know the meaning of the matrix rows"};
    const StageTimer timer;
    const std::string problem = space_.update(*input.frames, pool);
    level_ = {.unknowns = space_.unknowns(), .seconds = timer.seconds(), .aggregateOf = space_.aggregateOf()};
    const Index rows = input.frames->matrix->rows();
    if (w_.size() != rows) w_.resize(rows);
    return {problem.empty(), problem};
}

bool Deflated::correctStart(linalg::BlockVector& x, linalg::BlockVector& r, WorkerPool& pool) {
    deflating_ = false;
    space_.solve(r, coarse_, pool);
    space_.subtractImage(coarse_, r, w_, pool);
    if (!(linalg::dot(w_, w_, pool) < linalg::dot(r, r, pool))) return false;
    std::swap(r, w_);
    space_.addCoarse(coarse_, x, pool);
    return deflating_ = true;
}

double Deflated::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    if (deflating_) {
        inner_->applyDot(r, z, pool);
        space_.solveAgainst(&r, z, coarse_, pool);
    } else {
        space_.solve(r, coarse_, pool);
        space_.subtractImage(coarse_, r, w_, pool);
        inner_->applyDot(w_, z, pool);
        space_.solveAgainst(nullptr, z, second_, pool);
        coarse_.flat() += second_.flat();
    }
    space_.addCoarse(coarse_, z, pool);
    return linalg::dot(r, z, pool);
}

}  // namespace clothlab::preconditioners
