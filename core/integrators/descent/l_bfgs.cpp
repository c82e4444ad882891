#include "integrators/descent/l_bfgs.hpp"

#include "integrators/descent/line_search.hpp"
#include "linalg/vector_kernels.hpp"

namespace clothlab::integrators {

void LBfgs::begin(StepObjective& objective, const linalg::BlockVector& x, WorkerPool& pool) {
    pairs_.clear();
    lastX_ = {};
    value_ = objective.value(x, pool);
}

void LBfgs::remember(const Iteration& now) {
    const std::size_t most = std::size_t(own().lbfgsPairs);
    if (most > 0 && lastX_.size() == now.x.size()) {
        Pair pair;
        if (pairs_.size() == most) {  // its vectors serve again
            pair = std::move(pairs_.front());
            pairs_.pop_front();
        }
        pair.s = now.x;
        pair.s.flat() -= lastX_.flat();
        pair.t = lastDescent_;
        pair.t.flat() -= now.descent.flat();
        pair.curvature = linalg::dot(pair.s, pair.t, now.pool);
        if (pair.curvature > 0) pairs_.push_back(std::move(pair));
    }
    lastX_ = now.x;
    lastDescent_ = now.descent;
}

int LBfgs::recur(const Iteration& now) {
    std::vector<double> alpha(pairs_.size());
    q_ = now.descent;
    for (std::size_t k = pairs_.size(); k-- > 0;) {
        alpha[k] = linalg::dot(pairs_[k].s, q_, now.pool) / pairs_[k].curvature;
        q_.flat() -= alpha[k] * pairs_[k].t.flat();
    }
    const int solves = matrix_.solve(now.objective, q_, direction_, now.pool);
    if (solves == 0) return 0;
    for (std::size_t k = 0; k < pairs_.size(); ++k) {
        const double beta = linalg::dot(pairs_[k].t, direction_, now.pool) / pairs_[k].curvature;
        direction_.flat() += (alpha[k] - beta) * pairs_[k].s.flat();
    }
    return solves;
}

int LBfgs::next(const Iteration& now) {
    remember(now);
    int all = 0;
    while (true) {
        const int solves = recur(now);
        if (solves == 0) return 0;
        all += solves;
        const double slope = -linalg::dot(now.descent, direction_, now.pool);
        const DescentLine line{.x = now.x, .direction = direction_, .slope = slope};
        if (slope < 0 && searchLine(now.objective, line, 1, value_, now.next, now.pool) > 0) return all;
        if (pairs_.empty()) break;
        pairs_.clear();
    }
    now.next = now.x;  // at the minimum, to the last digits
    return all;
}

}  // namespace clothlab::integrators
