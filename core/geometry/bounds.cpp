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

BoundsGrid::BoundsGrid(const Bounds& whole) {
    for (std::size_t axis = 0; axis < middle_.size(); ++axis) {
        const float half = 0.5f * whole.hi[axis] - 0.5f * whole.lo[axis];
        const bool finite = std::isfinite(half) && half > 0;
        middle_[axis] = finite ? 0.5f * whole.hi[axis] + 0.5f * whole.lo[axis] : 0;
        scale_[axis] = float(GridBounds::kHigh) / (finite ? half : 1);
    }
}

GridBounds BoundsGrid::of(const Bounds& box) const {
    const auto gridNumber = [&](float place, std::size_t axis) {
        const float number = (place - middle_[axis]) * scale_[axis];
        // What is no number is at the lower border.
        return std::int16_t(std::min(std::max(float(GridBounds::kLow), number), float(GridBounds::kHigh)));
    };
    GridBounds out{};
    for (std::size_t axis = 0; axis < middle_.size(); ++axis) {
        out.lo[axis] = gridNumber(box.lo[axis], axis);
        out.hi[axis] = gridNumber(box.hi[axis], axis);
    }
    return out;
}

}  // namespace clothlab::geometry
