#include "preconditioners/ssor.hpp"

#include <Eigen/LU>
#include <cmath>

#include "linalg/ordering.hpp"
#include "linalg/vector_kernels.hpp"
#include "preconditioners/small_cholesky.hpp"

namespace clothlab::preconditioners {

void Ssor::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*) { rows_ = linalg::naturalOrder(matrix.pattern()); }

Outcome Ssor::update(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool&) {
    linalg::BlockTriangle& T = triangle_;
    T.setStructure(matrix, rows_);
    // T carries sqrt(omega / (2 - omega)), so that P = T T^T needs no scale.
    const double scale = std::sqrt(omega_ / (2 - omega_));
    std::vector<Mat3> right(static_cast<std::size_t>(T.rows()));  // G^-T of each diagonal block
    for (Index i = 0; i < T.rows(); ++i) {
        const Mat3 D = T.sourceDiagonal(matrix, i);
        Mat3 own;  // T_ii / scale
        if (block_) {
            Mat3 inverse;
            if (!inverseOfCholesky(D, inverse)) return {false, "a diagonal block of the matrix is not positive definite"};
            right[static_cast<std::size_t>(i)] = inverse.transpose();
            T.inverse(i) = inverse * (omega_ / scale);
        } else {
            const Vec3 d = D.diagonal();
            if (!(d.minCoeff() > 0)) return {false, "the diagonal of the matrix is not positive"};
            right[static_cast<std::size_t>(i)] = d.cwiseSqrt().cwiseInverse().asDiagonal();
            own = D.triangularView<Eigen::StrictlyLower>();
            own += Mat3((d / omega_).asDiagonal());
            T.inverse(i) = (scale * own * right[static_cast<std::size_t>(i)]).inverse();
        }
        for (Index s = T.rowStart(i); s < T.rowStart(i + 1); ++s)
            T.block(s) = scale * T.sourceBlock(matrix, s) * right[static_cast<std::size_t>(T.column(s))];
    }
    return {};
}

double Ssor::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    triangle_.solve(r, z);
    return linalg::dot(r, z, pool);
}

}  // namespace clothlab::preconditioners
