#include "preconditioners/incomplete_poisson.hpp"

#include "linalg/ordering.hpp"
#include "linalg/vector_kernels.hpp"
#include "preconditioners/small_cholesky.hpp"

namespace clothlab::preconditioners {

void IncompletePoisson::analyze(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool& pool) {
    triangle_.analyze(matrix.pattern(), linalg::orderRows(matrix.pattern(), linalg::Ordering::Natural), pool);
    u_.resize(matrix.rows());
    w_.resize(matrix.rows());
    right_.resize(static_cast<std::size_t>(matrix.rows()));
}

Outcome IncompletePoisson::update(const linalg::BlockMatrix& matrix, const linalg::CoreMask*, WorkerPool& pool) {
    linalg::BlockTriangle<double>& T = triangle_;
    T.setStructure(matrix, pool);
    std::vector<Mat3> columnScale(static_cast<std::size_t>(matrix.rows()));  // N = left L right, blockwise
    for (Index i = 0; i < T.rows(); ++i) {
        const auto at = static_cast<std::size_t>(i);
        const Mat3 D = T.sourceDiagonal(matrix, i);
        Mat3 left = Mat3::Identity(), inside = Mat3::Zero();  // inside: N_ii, where D is the scalar diagonal
        if (variant_ == Variant::Block) {
            if (!inverseOfCholesky(D, left)) return indefiniteBlock();
            right_[at] = columnScale[at] = left.transpose();
        } else {
            const Vec3 d = D.diagonal();
            if (!(d.minCoeff() > 0)) return nonPositiveDiagonal();
            inside = D.triangularView<Eigen::StrictlyLower>();
            const bool scaled = variant_ == Variant::Point;
            columnScale[at] = scaled ? Mat3(d.cwiseSqrt().cwiseInverse().asDiagonal()) : Mat3(d.cwiseInverse().asDiagonal());
            if (scaled) left = columnScale[at];
            right_[at] = left;
            inside = (left * inside * columnScale[at]).eval();
        }
        T.diagonal(i) = Mat3::Identity() - inside;
        for (Index s = T.rowStart(i); s < T.rowStart(i + 1); ++s)
            T.block(s) = -(left * T.sourceBlock(matrix, s) * columnScale[static_cast<std::size_t>(T.column(s))]);
    }
    return {};
}

double IncompletePoisson::applyDot(const linalg::BlockVector& r, linalg::BlockVector& z, WorkerPool& pool) const {
    for (Index i = 0; i < r.size(); ++i) u_[i] = right_[static_cast<std::size_t>(i)].transpose() * r[i];
    if (product_ == PoissonProduct::Backward) {
        triangle_.multiplyTransposed(u_, w_);
        triangle_.multiply(w_, u_);
    } else {
        triangle_.multiply(u_, w_);
        triangle_.multiplyTransposed(w_, u_);
    }
    for (Index i = 0; i < r.size(); ++i) z[i] = right_[static_cast<std::size_t>(i)] * u_[i];
    return linalg::dot(r, z, pool);
}

}  // namespace clothlab::preconditioners
