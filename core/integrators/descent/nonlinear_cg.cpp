#include "integrators/descent/nonlinear_cg.hpp"

#include <algorithm>

#include "integrators/descent/line_search.hpp"
#include "linalg/vector_kernels.hpp"

namespace clothlab::integrators {

void NonlinearCg::begin(StepObjective& objective, const linalg::BlockVector& x, WorkerPool& pool) {
    lastSize_ = 0;
    value_ = objective.value(x, pool);
}

int NonlinearCg::next(const Iteration& now) {
    rest_ = now.descent;
    const int solves = matrix_.solve(now.objective, rest_, z_, now.pool);
    if (solves == 0) return 0;
    const double size = linalg::dot(now.descent, z_, now.pool);
    bool conjugate = lastSize_ > 0;
    if (conjugate) {
        const double beta = std::max(0.0, (size - linalg::dot(lastDescent_, z_, now.pool)) / lastSize_);
        linalg::nextDirection(z_, beta, direction_, now.pool);
        conjugate = linalg::dot(now.descent, direction_, now.pool) > 0;
    }
    lastDescent_ = now.descent;
    lastSize_ = size;
    while (true) {
        if (!conjugate) direction_ = z_;
        const double slope = -linalg::dot(now.descent, direction_, now.pool);
        const double curvature = now.objective.curvature(now.x, direction_, now.pool);
        const DescentLine line{.x = now.x, .direction = direction_, .slope = slope};
        if (slope < 0 && curvature > 0 &&
            searchLine(now.objective, line, -slope / curvature, value_, now.next, now.pool) > 0)
            return solves;
        if (!conjugate) break;
        conjugate = false;
    }
    now.next = now.x;  // at the minimum, to the last digits
    lastSize_ = 0;
    return solves;
}

}  // namespace clothlab::integrators
