#include "preconditioners/ssor.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <atomic>
#include <cmath>

#include "factors/ordering.hpp"
#include "linalg/vector_kernels.hpp"
#include "preconditioners/small_cholesky.hpp"

namespace clothlab::preconditioners {

template <class Real>
void Ssor<Real>::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool& pool) {
    const Index domains = domains_ > 0 ? domains_ : factors::automaticDomains(matrix.rows());
    std::vector<Index> natural = factors::orderRows(matrix.pattern(), factors::Ordering::Natural);
    triangle_.analyze(matrix.pattern(), factors::cutIntoDomains(matrix.pattern(), std::move(natural), domains), pool);
}

/// omega = 1 / max(1, max L, max U), signed and with units, as printed (E-25).
static double publishedOmega(const linalg::BlockMatrix& matrix) {
    double largest = 1;
    const linalg::BlockPattern& p = matrix.pattern();
    for (Index i = 0; i < p.rows; ++i)
        for (Index k = p.rowStart[i]; k < p.rowStart[i + 1]; ++k) {
            if (p.column[k] != i) {
                if (matrix.occupied(k)) largest = std::max(largest, matrix.block(k).maxCoeff());
                continue;
            }
            const Mat3 own = matrix.block(k);
            largest = std::max({largest, own(0, 1), own(0, 2), own(1, 2)});
        }
    return 1 / largest;
}

template <class Real>
Outcome Ssor<Real>::update(const UpdateInput& input, WorkerPool& pool) {
    const linalg::BlockMatrix& matrix = input.matrix;
    factors::BlockTriangle<Real>& T = triangle_;
    T.setStructure(matrix, pool);
    const bool block = variant_ == Variant::Block;
    const double omega = variant_ == Variant::Published ? publishedOmega(matrix) : omega_;
    // T carries sqrt(omega / (2 - omega)), so that P = T T^T needs no scale.
    const double scale = std::sqrt(omega / (2 - omega));
    std::vector<Mat3> right(T.rows());  // G^-T of each diagonal block
    std::atomic<bool> positive{true};
    parallelRows(pool, T.rows(), [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
            const Mat3 D = T.sourceDiagonal(matrix, i);
            if (block) {
                Mat3 inverse;
                if (!inverseOfCholesky(D, inverse)) return void(positive = false);
                right[i] = inverse.transpose();
                T.diagonal(i) = (inverse * (omega / scale)).template cast<Real>();
            } else {
                const Vec3 d = D.diagonal();
                if (!(d.minCoeff() > 0)) return void(positive = false);
                right[i] = d.cwiseSqrt().cwiseInverse().asDiagonal();
                Mat3 own = D.triangularView<Eigen::StrictlyLower>();  // T_ii / scale
                own += Mat3((d / omega).asDiagonal());
                T.diagonal(i) = (scale * own * right[i]).inverse().template cast<Real>();
            }
        }
    });
    if (!positive) return block ? indefiniteBlock() : nonPositiveDiagonal();
    parallelRows(pool, T.rows(), [&](Index begin, Index end) {
        for (Index s = T.rowStart(begin); s < T.rowStart(end); ++s)
            T.block(s) = (scale * T.sourceBlock(matrix, s) * right[T.column(s)]).template cast<Real>();
    });
    return {};
}

template <class Real>
double Ssor<Real>::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    triangle_.solve(r, z, pool);
    return linalg::dot(r, z, pool);
}

template class Ssor<double>;
template class Ssor<float>;

}  // namespace clothlab::preconditioners
