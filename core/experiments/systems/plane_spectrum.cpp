#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "experiments/systems/quadratic_form.hpp"

// What a quadratic form needs of Eigen's dense algebra, which takes long to compile.
namespace clothlab::experiments {
namespace {

constexpr double kSingular = 1e-12;  // of the largest eigenvalue

PlaneSpectrum computeSpectrum(const Eigen::Matrix2d& A) {
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> solver(A);
    return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace

bool PlaneSpectrum::positive() const { return values[0] > kSingular * std::abs(values[1]); }

Plane QuadraticForm::stationary() const { return A.inverse() * b; }

double QuadraticForm::energyError(const Plane& x) const {
    const Plane e = x - stationary();
    return std::sqrt(std::max(0.0, e.dot(A * e)));
}

PlaneSpectrum QuadraticForm::spectrum() const { return computeSpectrum(A); }

PlaneSpectrum QuadraticForm::jacobiSpectrum() const {
    const Eigen::DiagonalMatrix<double, 2> scale(A.diagonal().cwiseSqrt().cwiseInverse());
    return computeSpectrum(scale * A * scale);
}

}  // namespace clothlab::experiments
