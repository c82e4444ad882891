#include "integrators/descent/prefactored_descent.hpp"

#include <cmath>
#include <utility>

#include "linalg/vector_kernels.hpp"

namespace clothlab::integrators {

std::string PrefactoredDescent::start(const Way& way, bool again) {
    std::string why = matrix_.prepare(way.objective, way.state, way.context, again);
    if (!why.empty()) return why;
    if (next_.size() != way.x.size()) next_.resize(way.x.size());
    begin(way.objective, way.x, way.context.pool);
    return {};
}

Descent::Pass PrefactoredDescent::advance(const Way& way) {
    WorkerPool& pool = way.context.pool;
    way.objective.gradient(way.x, descent_, pool);
    way.objective.filter(descent_);
    parallelRows(pool, descent_.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) descent_[i] *= -1;
    });
    const double norm = std::sqrt(linalg::dot(descent_, descent_, pool));
    if (!std::isfinite(norm) || norm == 0) return {.merit = norm};
    const int solves = next({.objective = way.objective, .x = way.x, .descent = descent_, .next = next_, .pool = pool});
    if (solves == 0) return {.merit = norm, .problem = matrix_.message()};
    std::swap(way.x, next_);
    return {.merit = norm, .solves = solves};
}

}  // namespace clothlab::integrators
