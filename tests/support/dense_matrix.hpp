#pragma once

#include <Eigen/Core>
#include <iosfwd>

#include "linalg/block_matrix.hpp"

/// Dense algebra for the formulas in tests. Expressions on Eigen's own dense matrices take each test seconds to
/// compile; these operators are compiled once.
namespace clothlab::testing {

/// A matrix, or a vector as a matrix of one column. Converts from Eigen's matrices and from vectors of particles, since
/// formulas mix them.
class DenseMatrix {
public:
    DenseMatrix() = default;
    DenseMatrix(Eigen::MatrixXd entries);
    DenseMatrix(const Eigen::VectorXd& column);
    DenseMatrix(const linalg::BlockVector& column);
    explicit DenseMatrix(const linalg::BlockMatrix& A);
    static DenseMatrix zero(Eigen::Index rows, Eigen::Index columns);
    static DenseMatrix identity(Eigen::Index size);
    /// The diagonal matrix of a column.
    static DenseMatrix diagonalOf(const DenseMatrix& column);

    Eigen::Index rows() const { return entries_.rows(); }
    Eigen::Index cols() const { return entries_.cols(); }
    double& operator()(Eigen::Index i, Eigen::Index j) { return entries_(i, j); }
    double operator()(Eigen::Index i, Eigen::Index j) const { return entries_(i, j); }
    double& operator[](Eigen::Index i) { return entries_(i, 0); }
    double operator[](Eigen::Index i) const { return entries_(i, 0); }
    /// The block of two particles, or of two other triples of rows and columns.
    Mat3 block(Eigen::Index i, Eigen::Index j) const;
    void setBlock(Eigen::Index i, Eigen::Index j, const Mat3& block);
    void addBlock(Eigen::Index i, Eigen::Index j, const Mat3& block);
    Vec3 triple(Eigen::Index i) const;  ///< of a column: the values of a particle
    void addTriple(Eigen::Index i, const Vec3& triple);
    DenseMatrix column(Eigen::Index j) const;
    void setColumn(Eigen::Index j, const linalg::BlockVector& column);
    /// The values as velocities or forces of particles.
    linalg::BlockVector blocks() const;

    DenseMatrix transpose() const;
    DenseMatrix diagonal() const;  ///< a column
    DenseMatrix strictlyLower() const;
    DenseMatrix inverse() const;
    DenseMatrix solve(const DenseMatrix& b) const;           ///< LU
    DenseMatrix solveSymmetric(const DenseMatrix& b) const;  ///< LDL^T
    DenseMatrix pivots() const;                              ///< D of LDL^T, a column
    DenseMatrix symmetricEigenvalues() const;                ///< rising, a column
    DenseMatrix eigenvalues() const;                         ///< real parts, a column
    double spectralRadius() const;                           ///< largest absolute value of an eigenvalue

    double norm() const;  ///< Frobenius
    double trace() const;
    double maxCoeff() const;
    double minCoeff() const;
    double maxAbs() const;
    double dot(const DenseMatrix& other) const;  ///< of two columns
    DenseMatrix cwiseSqrt() const;
    DenseMatrix cwiseInverse() const;

    friend DenseMatrix operator+(const DenseMatrix& A, const DenseMatrix& B);
    friend DenseMatrix operator-(const DenseMatrix& A, const DenseMatrix& B);
    friend DenseMatrix operator-(const DenseMatrix& A);
    friend DenseMatrix operator*(const DenseMatrix& A, const DenseMatrix& B);
    friend DenseMatrix operator*(double factor, const DenseMatrix& A);
    friend DenseMatrix operator*(const DenseMatrix& A, double factor);
    friend DenseMatrix operator/(const DenseMatrix& A, double divisor);
    friend bool operator==(const DenseMatrix& A, const DenseMatrix& B);
    // NOLINTNEXTLINE(readability-identifier-naming): the name that GoogleTest looks for
    friend void PrintTo(const DenseMatrix& A, std::ostream* to);

private:
    Eigen::MatrixXd entries_;
};

/// |a - b| of two vectors of particles.
double distance(const linalg::BlockVector& a, const linalg::BlockVector& b);
double norm(const linalg::BlockVector& a);
double dot(const linalg::BlockVector& a, const linalg::BlockVector& b);

Vec3 symmetricEigenvalues(const Mat3& A);  ///< rising
Mat3 cholesky(const Mat3& A);              ///< L of L L^T
Vec3 solve(const Mat3& A, const Vec3& b);  ///< LU

}  // namespace clothlab::testing
