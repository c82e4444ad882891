#include "experiments/race/error_waves.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <random>

#include "support/random_systems.hpp"

namespace clothlab::experiments {
namespace {

double sumOfSquares(const std::vector<double>& values) {
    double sum = 0;
    for (const double v : values) sum += v * v;
    return sum;
}

std::vector<double> randomError(std::size_t particles) {
    std::mt19937 random(7);
    std::normal_distribution<double> normal;
    std::vector<double> error(3 * particles);
    for (double& e : error) e = normal(random);
    return error;
}

TEST(ErrorWaves, TheCosineTransformIsOrthonormal) {
    for (const int n : {2, 5, 41}) {
        const Eigen::MatrixXd c = cosineTransform(n);
        EXPECT_LT((c * c.transpose() - Eigen::MatrixXd::Identity(n, n)).cwiseAbs().maxCoeff(), 1e-13) << n;
    }
}

// Parseval: nothing of an error is lost or counted twice.
TEST(ErrorWaves, AmplitudesAddUpToTheMeanSquare) {
    const ErrorWaves waves = ErrorWaves::ofGrid(9, 13, 0.1);
    const std::vector<double> error = randomError(9 * 13);
    double whole = 0;
    for (const double e : error) whole += e * e / (9 * 13);
    EXPECT_NEAR(sumOfSquares(waves.amplitudes(error)), whole, 1e-12 * whole);
}

// A cosine of p half waves along the columns of a square grid has the wavelength 2 n d/p.
TEST(ErrorWaves, AWaveIsInTheBandOfItsLength) {
    constexpr int n = 16;
    constexpr double d = 0.25;
    const ErrorWaves waves = ErrorWaves::ofGrid(n, n, d);
    EXPECT_NEAR(waves.bands().front().to, 2 * n * d, 1e-12);
    for (const int p : {1, 3, 8, 15}) {
        std::vector<double> error(3 * n * n, 0.0);
        for (int r = 0; r < n; ++r)
            for (int c = 0; c < n; ++c) error[3 * (r * n + c) + 1] = std::cos(std::numbers::pi * p * (c + 0.5) / n);
        const std::vector<double> amplitudes = waves.amplitudes(error);
        const double length = 2 * n * d / p;
        for (std::size_t b = 0; b < amplitudes.size(); ++b) {
            const auto& band = waves.bands()[b];
            const bool own = length > band.from * (1 + 1e-9) && length <= band.to * (1 + 1e-9);
            EXPECT_NEAR(amplitudes[b], own ? std::sqrt(0.5) : 0, 1e-12) << p << " " << band.label;
        }
    }
}

/// S A S, dense.
Eigen::MatrixXd freeMatrix(const linalg::FrozenSystem& system) {
    Eigen::MatrixXd A = linalg::toDense(system.A);
    linalg::BlockVector column(system.A.rows());
    for (int side = 0; side < 2; ++side) {
        for (Index k = 0; k < A.cols(); ++k) {
            column.flat() = A.col(k);
            system.constraints.filter(column);
            A.col(k) = column.flat();
        }
        A.transposeInPlace();
    }
    return A;
}

// If the space is the whole one, Ritz vectors are eigenvectors; compared with a dense decomposition.
TEST(ErrorWaves, RitzVectorsOfAllDirectionsAreEigenvectors) {
    auto made = testing::islands({27}, 3, 0.1);
    linalg::FrozenSystem system;
    system.A = made.A;
    system.constraints = made.constraints;
    const std::size_t particles = std::size_t(system.A.rows()), n = 3 * particles;
    std::vector<std::vector<double>> all;
    for (std::size_t k = 0; k < n; ++k) {
        all.emplace_back(n, 0.0);
        all.back()[k] = 1;
    }
    WorkerPool pool(1);
    const ErrorWaves waves = ErrorWaves::ofRitzVectors(system, all, {}, pool);
    linalg::BlockVector free(system.A.rows());
    const std::vector<double> random = randomError(particles);
    free.flat() = Eigen::Map<const Eigen::VectorXd>(random.data(), Index(n));
    system.constraints.filter(free);
    const std::vector<double> amplitudes = waves.amplitudes({free.flat().data(), n});
    EXPECT_LT(amplitudes.back(), 1e-6) << "the rest is empty";
    EXPECT_NEAR(sumOfSquares(amplitudes), free.flat().squaredNorm() / double(particles), 1e-9);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> dense(freeMatrix(system));
    const Eigen::VectorXd parts = dense.eigenvectors().transpose() * free.flat();
    for (std::size_t b = 0; b + 1 < waves.bands().size(); ++b) {
        const auto& band = waves.bands()[b];
        const bool last = b + 2 == waves.bands().size();
        double square = 0;
        for (Index k = 0; k < Index(n); ++k) {
            const double value = dense.eigenvalues()[k];
            if (value >= band.from * (1 - 1e-9) && (last || value < band.to * (1 - 1e-9)))
                square += parts[k] * parts[k];
        }
        EXPECT_NEAR(amplitudes[b], std::sqrt(square / double(particles)), 1e-6) << band.label;
    }
}

// The part of an error outside the space of the vectors is the rest, and none of it is lost.
TEST(ErrorWaves, WhatNoVectorHasIsTheRest) {
    auto made = testing::islands({27}, 3, 0.1);
    linalg::FrozenSystem system;
    system.A = made.A;
    system.constraints = made.constraints;
    const std::size_t particles = std::size_t(system.A.rows());
    WorkerPool pool(1);
    const std::vector<std::vector<double>> one(2, randomError(particles));  // the second adds nothing
    const ErrorWaves waves = ErrorWaves::ofRitzVectors(system, one, {}, pool);
    std::vector<double> other(3 * particles, 1.0);
    double whole = 0;
    for (const double e : other) whole += e * e / double(particles);
    const std::vector<double> amplitudes = waves.amplitudes(other);
    EXPECT_GT(amplitudes.back(), 0.5 * std::sqrt(whole));
    EXPECT_NEAR(sumOfSquares(amplitudes), whole, 1e-12 * whole);
}

}  // namespace
}  // namespace clothlab::experiments
