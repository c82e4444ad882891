#pragma once

#include <cmath>

#include "base/types.hpp"

namespace clothlab::preconditioners {

/// G^-1 of the 3x3 Cholesky factor A = G G^T, lower triangular. False if A is not positive definite in floating point:
/// a pivot below 1e-14 of its diagonal entry counts as zero.
inline bool inverseOfCholesky(const Mat3& A, Mat3& inverse) {
    const auto pivot = [](double value, double diagonal) { return value > 1e-14 * diagonal ? std::sqrt(value) : 0.0; };
    const double g00 = pivot(A(0, 0), A(0, 0));
    if (!(g00 > 0)) return false;
    const double g10 = A(1, 0) / g00, g20 = A(2, 0) / g00;
    const double g11 = pivot(A(1, 1) - g10 * g10, A(1, 1));
    if (!(g11 > 0)) return false;
    const double g21 = (A(2, 1) - g20 * g10) / g11;
    const double g22 = pivot(A(2, 2) - g20 * g20 - g21 * g21, A(2, 2));
    if (!(g22 > 0)) return false;
    inverse.setZero();
    inverse(0, 0) = 1 / g00;
    inverse(1, 1) = 1 / g11;
    inverse(2, 2) = 1 / g22;
    inverse(1, 0) = -g10 * inverse(0, 0) * inverse(1, 1);
    inverse(2, 1) = -g21 * inverse(1, 1) * inverse(2, 2);
    inverse(2, 0) = -(g20 * inverse(0, 0) + g21 * inverse(1, 0)) * inverse(2, 2);
    return true;
}

}  // namespace clothlab::preconditioners
