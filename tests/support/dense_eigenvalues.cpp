#include <Eigen/Eigenvalues>

#include "support/dense_matrix.hpp"

namespace clothlab::testing {

DenseMatrix DenseMatrix::symmetricEigenvalues() const {
    return Eigen::VectorXd(
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(entries_, Eigen::EigenvaluesOnly).eigenvalues());
}
DenseMatrix DenseMatrix::eigenvalues() const { return Eigen::VectorXd(entries_.eigenvalues().real()); }
double DenseMatrix::spectralRadius() const { return entries_.eigenvalues().cwiseAbs().maxCoeff(); }

Vec3 symmetricEigenvalues(const Mat3& A) {
    return Eigen::SelfAdjointEigenSolver<Mat3>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace clothlab::testing
