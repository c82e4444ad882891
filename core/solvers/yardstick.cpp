#include "solvers/yardstick.hpp"

#include <cmath>

namespace clothlab::solvers {

namespace {

/// |v|_2. Of numbers whose squares underflow as well; where they overflow it is infinite, and no residual is below
/// that.
double norm(const linalg::BlockVector& v) {
    constexpr double kSmall = 1e-150;
    const double plain = v.flat().norm();
    return plain < kSmall ? v.flat().stableNorm() : plain;
}

}  // namespace

double residual(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV, linalg::BlockVector& r) {
    linalg::BlockVector product(system.A.rows()), rhs(system.A.rows()), z(system.A.rows());
    r.resize(system.A.rows());
    linalg::multiply(system.A, deltaV, product);
    r.flat() = system.b.flat() - product.flat();
    system.constraints.filter(r);

    system.constraints.prescribed(z);
    linalg::multiply(system.A, z, product);
    rhs.flat() = system.b.flat() - product.flat();
    system.constraints.filter(rhs);
    return norm(rhs);
}

double trueRelativeResidual(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV) {
    linalg::BlockVector r;
    const double bottom = residual(system, deltaV, r), top = norm(r);
    if (!std::isfinite(bottom) || !std::isfinite(top)) return NAN;
    return bottom > 0 ? top / bottom : (top > 0 ? INFINITY : 0.0);
}

void constraintImpulse(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV,
                       linalg::BlockVector& lambda, WorkerPool& pool) {
    if (lambda.size() != system.A.rows()) lambda.resize(system.A.rows());
    lambda.setZero();
    // S lambda is zero up to the tolerance: only constrained rows carry an impulse.
    const linalg::BlockPattern& p = system.A.pattern();
    const std::span<const linalg::DofConstraint> constrained = system.constraints.constrained();
    parallelRows(pool, Index(constrained.size()), [&](Index begin, Index end) {
        for (const linalg::DofConstraint& c : constrained.subspan(begin, end - begin)) {
            Vec3 sum = -system.b[c.particle];
            for (Index k = p.rowStart[c.particle]; k < p.rowStart[c.particle + 1]; ++k)
                if (system.A.occupied(k)) sum += system.A.block(k) * deltaV[p.column[k]];
            lambda[c.particle] = sum;
        }
    });
}

}  // namespace clothlab::solvers
