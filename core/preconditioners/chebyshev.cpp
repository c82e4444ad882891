#include "preconditioners/chebyshev.hpp"

#include <algorithm>
#include <cmath>

#include "base/splitmix.hpp"
#include "linalg/vector_kernels.hpp"

namespace clothlab::preconditioners {

void Chebyshev::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask* core, WorkerPool& pool) {
    blocks_.analyze(matrix, core, pool);
    for (linalg::BlockVector* v : {&direction_, &product_, &residual_, &step_}) v->resize(matrix.rows());
}

/// In [-1, 1], without a pattern that an eigenvector could be orthogonal to, and the same each time.
static double scattered(std::uint64_t k) { return 2 * splitmixUnit((k + 1) * 0x9e3779b97f4a7c15ull) - 1.0; }

/// Power iteration on C^-1 A.
static double powerEstimate(const linalg::PackedMatrix& A, const BlockJacobi& C, linalg::BlockVector& x,
                            linalg::BlockVector& Ax, WorkerPool& pool) {
    // A small component has few eigenvalues, and a start may hold little of the largest.
    const int steps = x.size() < 100 ? 40 : 12;
    for (Index i = 0; i < 3 * x.size(); ++i) x.flat()[i] = scattered(std::uint64_t(i));
    double largest = 0;
    for (int k = 0; k < steps; ++k) {
        const double energy = A.multiplyDot(x, Ax, pool);  // x' A x
        const double dual = C.applyDot(Ax, x, pool);       // (A x)' C^-1 (A x), x becomes C^-1 A x
        if (!(energy > 0)) return largest;
        largest = std::max(largest, dual / energy);  // Rayleigh quotient of A^1/2 C^-1 A^1/2
        x.flat() /= std::sqrt(dual);
    }
    return largest;
}

Outcome Chebyshev::update(const UpdateInput& input, WorkerPool& pool) {
    if (Outcome outcome = blocks_.update(input, pool); !outcome.usable) return outcome;
    packed_.build(input.matrix, pool);
    largest_ = 1.1 * powerEstimate(packed_, blocks_, direction_, product_, pool);
    return {};
}

/// Chebyshev iteration on A z = r from z = 0, preconditioned by C: the recurrence of [Saad], Algorithm 12.1.
double Chebyshev::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    const double kappa = (degree_ + 1.0) * (degree_ + 1.0);
    const double center = 0.5 * largest_ * (1 + 1 / kappa), half = 0.5 * largest_ * (1 - 1 / kappa);
    const double sigma = center / half;
    double rho = 1 / sigma;
    blocks_.applyDot(r, step_, pool);
    parallelRows(pool, r.size(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            direction_[i] = step_[i] / center;
            z[i] = direction_[i];
            residual_[i] = r[i];
        }
    });
    for (int k = 1; k < degree_; ++k) {
        packed_.multiplyDot(direction_, product_, pool);
        parallelRows(pool, r.size(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) residual_[i] -= product_[i];
        });
        blocks_.applyDot(residual_, step_, pool);
        const double next = 1 / (2 * sigma - rho);
        parallelRows(pool, r.size(), [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) {
                direction_[i] = next * rho * direction_[i] + (2 * next / half) * step_[i];
                z[i] += direction_[i];
            }
        });
        rho = next;
    }
    return linalg::dot(r, z, pool);
}

}  // namespace clothlab::preconditioners
