// Separate from the products, because each factorization takes seconds to compile.
#include <Eigen/Cholesky>
#include <Eigen/LU>

#include "support/dense_matrix.hpp"

namespace clothlab::testing {

DenseMatrix DenseMatrix::inverse() const { return Eigen::MatrixXd(entries_.inverse()); }
DenseMatrix DenseMatrix::solve(const DenseMatrix& b) const {
    return Eigen::MatrixXd(entries_.partialPivLu().solve(b.entries_));
}
DenseMatrix DenseMatrix::solveSymmetric(const DenseMatrix& b) const {
    return Eigen::MatrixXd(entries_.ldlt().solve(b.entries_));
}
DenseMatrix DenseMatrix::pivots() const { return Eigen::VectorXd(entries_.ldlt().vectorD()); }

Mat3 cholesky(const Mat3& A) { return A.llt().matrixL(); }
Vec3 solve(const Mat3& A, const Vec3& b) { return A.partialPivLu().solve(b); }

}  // namespace clothlab::testing
