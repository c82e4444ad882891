#include "geometry/bounds.hpp"

#include <cmath>

namespace clothlab::geometry {
namespace {

/// What a rounding to the nearest float and some of doubles may take, of the number.
constexpr float kFloatRounding = 0x1.01p-24f;
/// And where that vanishes.
constexpr float kLeastFloat = 0x1p-140f;

float roundedDown(double value) {
    const float f = float(value);
    return f - (std::abs(f) * kFloatRounding + kLeastFloat);
}

std::array<double, Bounds::kAxes> alongAxes(const Vec3& p) {
    return {p.x(),         p.y(),         p.z(),         p.x() + p.y(), p.x() - p.y(),
            p.y() + p.z(), p.y() - p.z(), p.z() + p.x(), p.z() - p.x()};
}

}  // namespace

Bounds Bounds::around(const Vec3& a, const Vec3& b, double pad) {
    const auto first = alongAxes(a), second = alongAxes(b);
    Bounds box;
    for (int axis = 0; axis < kAxes; ++axis) {
        const double by = axis < 3 ? pad : kDiagonal * pad;
        box.lo[axis] = roundedDown(std::min(first[axis], second[axis]) - by);
        box.hi[axis] = -roundedDown(-std::max(first[axis], second[axis]) - by);
    }
    return box;
}

void Bounds::shift(const Vec3& offset, double pad) {
    const auto along = alongAxes(offset);
    for (int axis = 0; axis < kAxes; ++axis) {
        const double by = axis < 3 ? pad : kDiagonal * pad;
        lo[axis] = roundedDown(along[axis] + double(lo[axis]) - by);
        hi[axis] = -roundedDown(-along[axis] - double(hi[axis]) - by);
    }
}

PointWay PointWay::of(const Vec3& from, const Vec3& to, double pad) {
    const auto rounded = [](const Vec3& p) { return std::array{float(p.x()), float(p.y()), float(p.z())}; };
    return {Bounds::around(from, to, pad), rounded(from), rounded(to)};
}

}  // namespace clothlab::geometry
