#include "experiments/race/error_waves.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace clothlab::experiments {
namespace {

using Vector = Eigen::VectorXd;

std::string metres(double length) {
    return length < 0.0995 ? fmt::format("{:.2g} cm", 100 * length) : fmt::format("{:.2g} m", length);
}

}  // namespace

Eigen::MatrixXd cosineTransform(int n) {
    Eigen::MatrixXd waves(n, n);
    for (int p = 0; p < n; ++p)
        for (int i = 0; i < n; ++i)
            waves(p, i) = std::sqrt((p == 0 ? 1.0 : 2.0) / n) * std::cos(std::numbers::pi * p * (i + 0.5) / n);
    return waves;
}

ErrorWaves ErrorWaves::ofGrid(int rows, int columns, double spacing) {
    ErrorWaves waves;
    waves.rows_ = cosineTransform(rows);
    waves.columns_ = cosineTransform(columns);
    waves.gridBands(spacing);
    return waves;
}

/// An octave each, from twice the longer side on; what does not vary at all is in the first.
void ErrorWaves::gridBands(double spacing) {
    const auto R = int(rows_.rows()), C = int(columns_.rows());
    const double longest = 2 * spacing * std::max(R, C);
    for (int p = 0; p < R; ++p)
        for (int q = 0; q < C; ++q) {
            const double wavelength =
                p + q == 0 ? longest : 1 / std::hypot(p / (2 * spacing * R), q / (2 * spacing * C));
            const int band = int(std::max(0.0, std::floor(std::log2(longest / wavelength) + 1e-9)));
            bandOf_.push_back(band);
            while (int(bands_.size()) <= band) {
                const double to = longest / std::exp2(double(bands_.size()));
                bands_.push_back({to / 2, to, metres(to)});
            }
        }
}

/// Rayleigh-Ritz: an orthonormal basis V of the errors, the eigenvectors Y of V'AV, and V Y.
ErrorWaves ErrorWaves::ofRitzVectors(const linalg::FrozenSystem& system, std::span<const std::vector<double>> errors,
                                     const std::stop_token& stop, WorkerPool& pool) {
    constexpr double kNew = 1e-9;  // of an error, that is not in those before it
    ErrorWaves waves;
    waves.kind_ = Kind::RitzVectors;
    const Index n = 3 * system.A.rows();
    Eigen::MatrixXd V(n, Index(errors.size())), AV(n, V.cols());
    linalg::BlockVector x(system.A.rows()), y(system.A.rows());
    Index m = 0;
    for (const std::vector<double>& error : errors) {
        if (stop.stop_requested()) break;
        x.flat() = Eigen::Map<const Vector>(error.data(), n);
        system.constraints.filter(x);
        Vector v = x.flat();
        const double whole = v.norm();
        for (int again = 0; again < 2; ++again)  // once leaves round-off of the size of what cancels
            v -= V.leftCols(m) * (V.leftCols(m).transpose() * v);
        const double left = v.norm();
        if (!(left > kNew * whole)) continue;
        V.col(m) = x.flat() = v / left;
        linalg::multiply(system.A, x, y, pool);
        AV.col(m++) = y.flat();
    }
    if (m > 0) {
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> small(V.leftCols(m).transpose() * AV.leftCols(m));
        waves.vectors_ = V.leftCols(m) * small.eigenvectors();
        waves.ritzBands(small.eigenvalues());
    } else {
        waves.ritzBands({});
    }
    return waves;
}

/// Seven equal parts of the logarithm, and the rest.
void ErrorWaves::ritzBands(const Vector& values) {
    constexpr int kParts = 7;
    if (values.size() > 0) {
        const double low = std::log(std::max(values[0], 1e-300)), span = std::log(values[values.size() - 1]) - low;
        for (int part = 0; part < kParts; ++part) {
            const auto at = [&](int k) { return std::exp(low + span * k / kParts); };
            bands_.push_back({at(part), at(part + 1), fmt::format("{:.1g}", at(part))});
        }
        for (const double value : values)
            bandOf_.push_back(span > 0 ? std::clamp(int(kParts * (std::log(value) - low) / span), 0, kParts - 1) : 0);
    }
    bands_.push_back({0, 0, "rest"});
}

std::vector<double> ErrorWaves::amplitudes(std::span<const double> error) const {
    std::vector<double> squares(bands_.size(), 0.0);
    const auto particles = double(error.size()) / 3;
    if (kind_ == Kind::Wavelengths) {
        using Field = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>, 0,
                                 Eigen::Stride<Eigen::Dynamic, 3>>;
        const Index R = rows_.rows(), C = columns_.rows();
        for (int axis = 0; axis < 3; ++axis) {
            const Field field(error.data() + axis, R, C, Eigen::Stride<Eigen::Dynamic, 3>(3 * C, 3));
            const Eigen::MatrixXd waves = rows_ * field * columns_.transpose();
            for (Index p = 0; p < R; ++p)
                for (Index q = 0; q < C; ++q) squares[bandOf_[p * C + q]] += waves(p, q) * waves(p, q);
        }
    } else {
        const Eigen::Map<const Vector> e(error.data(), Index(error.size()));
        double left = e.squaredNorm();
        if (vectors_.cols() > 0) {
            const Vector parts = vectors_.transpose() * e;
            for (Index k = 0; k < parts.size(); ++k) squares[bandOf_[k]] += parts[k] * parts[k];
            left -= parts.squaredNorm();
        }
        squares.back() = std::max(0.0, left);
    }
    for (double& square : squares) square = std::sqrt(square / particles);
    return squares;
}

}  // namespace clothlab::experiments
