#include "support/dense_matrix.hpp"

#include <cassert>
#include <ostream>
#include <utility>

namespace clothlab::testing {

DenseMatrix::DenseMatrix(Eigen::MatrixXd entries) : entries_(std::move(entries)) {}
DenseMatrix::DenseMatrix(const Eigen::VectorXd& column) : entries_(column) {}
DenseMatrix::DenseMatrix(const linalg::BlockVector& column) : entries_(column.flat()) {}
DenseMatrix::DenseMatrix(const linalg::BlockMatrix& A) : entries_(linalg::toDense(A)) {}

DenseMatrix DenseMatrix::zero(Eigen::Index rows, Eigen::Index columns) {
    return Eigen::MatrixXd(Eigen::MatrixXd::Zero(rows, columns));
}
DenseMatrix DenseMatrix::identity(Eigen::Index size) { return Eigen::MatrixXd(Eigen::MatrixXd::Identity(size, size)); }
DenseMatrix DenseMatrix::diagonalOf(const DenseMatrix& column) {
    assert(column.cols() == 1);
    return Eigen::MatrixXd(column.entries_.col(0).asDiagonal());
}

Mat3 DenseMatrix::block(Eigen::Index i, Eigen::Index j) const { return entries_.block<3, 3>(3 * i, 3 * j); }
void DenseMatrix::setBlock(Eigen::Index i, Eigen::Index j, const Mat3& block) {
    entries_.block<3, 3>(3 * i, 3 * j) = block;
}
void DenseMatrix::addBlock(Eigen::Index i, Eigen::Index j, const Mat3& block) {
    entries_.block<3, 3>(3 * i, 3 * j) += block;
}
Vec3 DenseMatrix::triple(Eigen::Index i) const { return entries_.block<3, 1>(3 * i, 0); }
void DenseMatrix::addTriple(Eigen::Index i, const Vec3& triple) { entries_.block<3, 1>(3 * i, 0) += triple; }
DenseMatrix DenseMatrix::column(Eigen::Index j) const { return Eigen::VectorXd(entries_.col(j)); }
void DenseMatrix::setColumn(Eigen::Index j, const linalg::BlockVector& column) { entries_.col(j) = column.flat(); }
linalg::BlockVector DenseMatrix::blocks() const {
    assert(cols() == 1 && rows() % 3 == 0);
    linalg::BlockVector out(Index(rows() / 3));
    out.flat() = entries_.col(0);
    return out;
}

DenseMatrix DenseMatrix::transpose() const { return Eigen::MatrixXd(entries_.transpose()); }
DenseMatrix DenseMatrix::diagonal() const { return Eigen::VectorXd(entries_.diagonal()); }
DenseMatrix DenseMatrix::strictlyLower() const {
    return Eigen::MatrixXd(entries_.triangularView<Eigen::StrictlyLower>());
}
double DenseMatrix::norm() const { return entries_.norm(); }
double DenseMatrix::trace() const { return entries_.trace(); }
double DenseMatrix::maxCoeff() const { return entries_.maxCoeff(); }
double DenseMatrix::minCoeff() const { return entries_.minCoeff(); }
double DenseMatrix::maxAbs() const { return entries_.cwiseAbs().maxCoeff(); }
double DenseMatrix::dot(const DenseMatrix& other) const {
    assert(cols() == 1 && other.cols() == 1);
    return entries_.col(0).dot(other.entries_.col(0));
}
DenseMatrix DenseMatrix::cwiseSqrt() const { return Eigen::MatrixXd(entries_.cwiseSqrt()); }
DenseMatrix DenseMatrix::cwiseInverse() const { return Eigen::MatrixXd(entries_.cwiseInverse()); }

DenseMatrix operator+(const DenseMatrix& A, const DenseMatrix& B) { return Eigen::MatrixXd(A.entries_ + B.entries_); }
DenseMatrix operator-(const DenseMatrix& A, const DenseMatrix& B) { return Eigen::MatrixXd(A.entries_ - B.entries_); }
DenseMatrix operator-(const DenseMatrix& A) { return Eigen::MatrixXd(-A.entries_); }
DenseMatrix operator*(const DenseMatrix& A, const DenseMatrix& B) { return Eigen::MatrixXd(A.entries_ * B.entries_); }
DenseMatrix operator*(double factor, const DenseMatrix& A) { return Eigen::MatrixXd(factor * A.entries_); }
DenseMatrix operator*(const DenseMatrix& A, double factor) { return Eigen::MatrixXd(factor * A.entries_); }
DenseMatrix operator/(const DenseMatrix& A, double divisor) { return Eigen::MatrixXd(A.entries_ / divisor); }
bool operator==(const DenseMatrix& A, const DenseMatrix& B) {
    return A.rows() == B.rows() && A.cols() == B.cols() && A.entries_ == B.entries_;
}
// NOLINTNEXTLINE(readability-identifier-naming): see the header
void PrintTo(const DenseMatrix& A, std::ostream* to) { *to << A.rows() << " x " << A.cols() << ", norm " << A.norm(); }

double distance(const linalg::BlockVector& a, const linalg::BlockVector& b) { return (a.flat() - b.flat()).norm(); }
double norm(const linalg::BlockVector& a) { return a.flat().norm(); }
double dot(const linalg::BlockVector& a, const linalg::BlockVector& b) { return a.flat().dot(b.flat()); }

}  // namespace clothlab::testing
