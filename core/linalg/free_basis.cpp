#include "linalg/free_basis.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "base/splitmix.hpp"

namespace clothlab::linalg {
namespace {

Mat3 columns(const Vec3& first, const Vec3& second) {
    Mat3 U = Mat3::Zero();
    U.col(0) = first;
    U.col(1) = second;
    return U;
}

Mat3 robust(const Vec3& p) {
    const double sigma = std::hypot(p[1], p[2]);
    if (sigma < 1e-150) return columns(Vec3::UnitY(), Vec3::UnitZ());
    return columns({sigma, -p[0] * p[1] / sigma, -p[0] * p[2] / sigma}, {0.0, p[2] / sigma, -p[1] / sigma});
}

/// [Y] (13), case by case.
Mat3 printed(const Vec3& p) {
    if (p[0] == 1) return columns(Vec3::UnitY(), Vec3::UnitZ());
    const double root = std::sqrt(1 - p[0] * p[0]);
    const Vec3 first(root, -p[0] * p[1] / root, -p[0] * p[2] / root);
    if (p[2] == 0) return columns(first, Vec3::UnitZ());
    return columns(first, {0.0, std::abs(p[2]) / root, -p[1] * p[2] / (std::abs(p[2]) * root)});
}

/// By an angle that the particle's number alone decides.
Mat3 turned(const Mat3& U, Index particle) {
    const double angle = 2 * std::numbers::pi * splitmixUnit((std::uint64_t(particle) + 1) * 0x9e3779b97f4a7c15ull);
    const double c = std::cos(angle), s = std::sin(angle);
    return columns(c * U.col(0) + s * U.col(1), c * U.col(1) - s * U.col(0));
}

}  // namespace

Mat3 freeBasis(const DofConstraint& c, Basis basis) {
    if (c.ndof == 3) return Mat3::Identity();
    if (c.ndof == 1) return columns(c.p.cross(c.q).normalized(), Vec3::Zero());
    if (c.ndof != 2) return Mat3::Zero();
    switch (basis) {
        case Basis::Robust:
            break;
        case Basis::Printed:
            return printed(c.p);
        case Basis::Random:
            return turned(robust(c.p), c.particle);
    }
    return robust(c.p);
}

std::string basisProblem(const DofConstraint& c, const Mat3& U) {
    constexpr double kLimit = 1e-6;
    if (c.ndof != 2) return {};
    const auto free = U.leftCols<2>();
    const double error = std::max((free.transpose() * free - Eigen::Matrix2d::Identity()).cwiseAbs().maxCoeff(),
                                  (free.transpose() * c.p).cwiseAbs().maxCoeff());
    if (U.allFinite() && error <= kLimit) return {};
    return fmt::format(
        "Ye's basis (13) fails for particle {}: next to the x axis, p = ({:.3g}, {:.3g}, {:.3g}), it divides by nearly "
        "zero. Choose solver.basis = robust.",
        c.particle, c.p[0], c.p[1], c.p[2]);
}

}  // namespace clothlab::linalg
