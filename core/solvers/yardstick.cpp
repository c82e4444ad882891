#include "solvers/yardstick.hpp"

#include <cmath>

namespace clothlab::solvers {

double trueRelativeResidual(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV) {
    linalg::BlockVector product(system.A.rows()), residual(system.A.rows()), rhs(system.A.rows());
    linalg::multiply(system.A, deltaV, product);
    residual.flat() = system.b.flat() - product.flat();
    system.constraints.filter(residual);

    linalg::BlockVector z(system.A.rows());
    system.constraints.prescribed(z);
    linalg::multiply(system.A, z, product);
    rhs.flat() = system.b.flat() - product.flat();
    system.constraints.filter(rhs);

    const double top = residual.flat().norm(), bottom = rhs.flat().norm();
    return bottom > 0 ? top / bottom : (top > 0 ? INFINITY : 0.0);
}

void constraintImpulse(const linalg::LinearSystem& system, const linalg::BlockVector& deltaV, linalg::BlockVector& lambda) {
    if (lambda.size() != system.A.rows()) lambda.resize(system.A.rows());
    lambda.setZero();
    // S lambda is zero up to the tolerance: only constrained rows carry an impulse.
    const linalg::BlockPattern& p = system.A.pattern();
    for (const linalg::DofConstraint& c : system.constraints.constrained()) {
        Vec3 sum = -system.b[c.particle];
        for (Index k = p.rowStart[c.particle]; k < p.rowStart[c.particle + 1]; ++k)
            if (system.A.occupied(k)) sum += system.A.block(k) * deltaV[p.column[k]];
        lambda[c.particle] = sum;
    }
}

}  // namespace clothlab::solvers
