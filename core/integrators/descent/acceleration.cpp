#include "integrators/descent/acceleration.hpp"

#include <Eigen/Cholesky>
#include <algorithm>

#include "linalg/vector_kernels.hpp"

namespace clothlab::integrators {

void FixedPointAcceleration::restart() {
    count_ = 0;
    omega_ = 1;
    increments_.clear();
    plains_.clear();
    lastIncrement_ = {};
}

bool FixedPointAcceleration::proposeChebyshev(const linalg::BlockVector& x, linalg::BlockVector& next) {
    const double rho2 = rho_ * rho_;
    const bool plain = count_ < kPlainFirst || before_.size() != x.size();
    omega_ = plain ? 1 : count_ == kPlainFirst ? 2 / (2 - rho2) : 4 / (4 - rho2 * omega_);
    ++count_;
    if (!plain) next.flat() = omega_ * (next.flat() - before_.flat()) + before_.flat();
    before_ = x;
    return !plain;
}

bool FixedPointAcceleration::proposeAnderson(const linalg::BlockVector& increment, linalg::BlockVector& next,
                                             WorkerPool& pool) {
    const auto difference = [](const linalg::BlockVector& a, const linalg::BlockVector& b) {
        linalg::BlockVector d = a;
        d.flat() -= b.flat();
        return d;
    };
    const bool first = lastIncrement_.size() != increment.size();
    if (!first) {
        increments_.push_back(difference(increment, lastIncrement_));
        plains_.push_back(difference(next, lastPlain_));
        if (increments_.size() > kWindow) {
            increments_.erase(increments_.begin());
            plains_.erase(plains_.begin());
        }
    }
    lastIncrement_ = increment;
    lastPlain_ = next;
    if (first) return false;
    // The normal equations of five columns, in the order that any number of threads gives the same sums.
    const std::size_t m = increments_.size();
    const auto size = Eigen::Index(m);
    Eigen::MatrixXd gram(size, size);
    Eigen::VectorXd rhs(size);
    for (std::size_t i = 0; i < m; ++i) {
        for (std::size_t j = 0; j <= i; ++j)
            gram(Eigen::Index(i), Eigen::Index(j)) = gram(Eigen::Index(j), Eigen::Index(i)) =
                linalg::dot(increments_[i], increments_[j], pool);
        rhs[Eigen::Index(i)] = linalg::dot(increments_[i], increment, pool);
    }
    const Eigen::VectorXd scale = gram.diagonal().cwiseMax(1e-300).cwiseSqrt().cwiseInverse();
    const Eigen::MatrixXd scaled = scale.asDiagonal() * gram * scale.asDiagonal() +
                                   1e-12 * Eigen::MatrixXd::Identity(size, size);  // columns may be parallel
    const Eigen::VectorXd c = scale.asDiagonal() * scaled.ldlt().solve(scale.cwiseProduct(rhs));
    if (!c.allFinite()) return false;
    for (std::size_t j = 0; j < m; ++j) next.flat() -= c[Eigen::Index(j)] * plains_[j].flat();
    return true;
}

bool FixedPointAcceleration::propose(const linalg::BlockVector& x, const linalg::BlockVector& increment,
                                     linalg::BlockVector& next, WorkerPool& pool) {
    if (next.size() != x.size()) next.resize(x.size());
    parallelRows(pool, x.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) next[i] = x[i] + increment[i];
    });
    switch (kind_) {
        case Acceleration::None:
            return false;
        case Acceleration::Chebyshev:
            return proposeChebyshev(x, next);
        case Acceleration::Anderson:
            return proposeAnderson(increment, next, pool);
    }
    return false;
}

}  // namespace clothlab::integrators
