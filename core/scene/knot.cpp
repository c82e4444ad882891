#include "scene/knot.hpp"

#include <cmath>
#include <numbers>

namespace clothlab::scene {
namespace {

constexpr double kTail = 6, kHeight = 0.9, kCut = 0.35;  // of the trefoil, whose lobes reach to 3
constexpr int kSamples = 400;                            // of each of the five pieces

/// The trefoil knot, which goes through (0, -3) along x at t = pi.
Vec3 trefoil(double t) {
    return {std::sin(t) + 2 * std::sin(2 * t), std::cos(t) - 2 * std::cos(2 * t), -kHeight * std::sin(3 * t)};
}

Vec3 trefoilSlope(double t) {
    return {std::cos(t) + 4 * std::cos(2 * t), -std::sin(t) + 4 * std::sin(2 * t), -3 * kHeight * std::cos(3 * t)};
}

/// Hermite's cubic between two places with slopes.
Vec3 between(const Vec3& a, const Vec3& slopeA, const Vec3& b, const Vec3& slopeB, double s) {
    const double s2 = s * s, s3 = s2 * s;
    return (2 * s3 - 3 * s2 + 1) * a + (s3 - 2 * s2 + s) * slopeA + (3 * s2 - 2 * s3) * b + (s3 - s2) * slopeB;
}

/// The knot is the trefoil, cut where it goes through (0, -3). There the end that leaves to the right comes from a tail
/// on the left, above, and the end that arrives from the left continues into a tail on the right, below.
std::vector<Vec3> samples() {
    const double first = std::numbers::pi + kCut, last = 3 * std::numbers::pi - kCut;
    const Vec3 above(-0.8, -3, kHeight), below(0.8, -3, -kHeight), along(2.5, 0, 0);
    std::vector<Vec3> out;
    const auto piece = [&](auto place) {
        for (int k = 0; k < kSamples; ++k) out.push_back(place(double(k) / kSamples));
    };
    piece([&](double s) { return Vec3(above + (1 - s) * Vec3(-kTail, 0, 0)); });
    piece([&](double s) { return between(above, along, trefoil(first), 0.8 * trefoilSlope(first), s); });
    piece([&](double s) { return trefoil(first + s * (last - first)); });
    piece([&](double s) { return between(trefoil(last), 0.8 * trefoilSlope(last), below, along, s); });
    piece([&](double s) { return Vec3(below + s * Vec3(kTail, 0, 0)); });
    out.push_back(below + Vec3(kTail, 0, 0));
    return out;
}

}  // namespace

KnotCurve::KnotCurve(int points, double length) {
    const std::vector<Vec3> curve = samples();
    std::vector<double> way{0.0};
    for (std::size_t k = 1; k < curve.size(); ++k) way.push_back(way.back() + (curve[k] - curve[k - 1]).norm());
    std::size_t piece = 1;
    for (int k = 0; k < points; ++k) {
        const double at = way.back() * k / (points - 1);
        while (piece + 1 < curve.size() && way[piece] < at) ++piece;
        const Vec3 step = curve[piece] - curve[piece - 1], tangent = step.normalized();
        const double share = std::min((at - way[piece - 1]) / step.norm(), 1.0);
        places.push_back(length / way.back() * (curve[piece - 1] + share * step));
        across.push_back((Vec3::UnitZ() - tangent.z() * tangent).normalized());
    }
}

}  // namespace clothlab::scene
