#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/types.hpp"

namespace clothlab::geometry {

/// Positions of points and their motion within a step: from x to x + u, m, three numbers per point; u empty: at rest.
struct PointMotion {
    std::span<const double> x, u = {};

    Index size() const { return Index(x.size() / 3); }
    Vec3 from(Index i) const { return Eigen::Map<const Vec3>(&x[3 * std::size_t(i)]); }
    Vec3 to(Index i) const {
        return u.empty() ? from(i) : Vec3(from(i) + Eigen::Map<const Vec3>(&u[3 * std::size_t(i)]));
    }
};

/// A box with bevelled corners and edges: an interval along each of nine directions, in single precision, rounded
/// outward so that it encloses its contents. Layers of cloth oblique to the axes of the world are thin along another of
/// the nine, which excludes most of their pairs.
struct Bounds {
    static constexpr int kAxes = 9;                           ///< x, y, z, and the sums and differences of two of them
    static constexpr double kDiagonal = 1.41421356237309515;  ///< length of a sum of two axes, rounded up
    std::array<float, kAxes> lo, hi;

    void include(const Bounds& other) {
        for (int axis = 0; axis < kAxes; ++axis) {
            lo[axis] = std::min(lo[axis], other.lo[axis]);
            hi[axis] = std::max(hi[axis], other.hi[axis]);
        }
    }
    bool meets(const Bounds& other) const {
        for (int axis = 0; axis < kAxes; ++axis)
            if (!(other.lo[axis] <= hi[axis] && other.hi[axis] >= lo[axis])) return false;
        return true;
    }
    static Bounds empty() {
        Bounds box;
        box.lo.fill(std::numeric_limits<float>::infinity());
        box.hi.fill(-std::numeric_limits<float>::infinity());
        return box;
    }
    /// Moves the box by `offset` and widens it by `pad` (m).
    void shift(const Vec3& offset, double pad);
    /// The box around the path from a to b, widened by `pad` (m).
    static Bounds around(const Vec3& a, const Vec3& b, double pad);
};

/// A box of two-byte integers, of which sixteen are compared at once. A BoundsGrid maps coordinates to them
/// monotonically along each axis, so boxes that meet still meet.
struct GridBounds {
    static constexpr std::size_t kLanes = 16;  ///< axes, padded to a register
    static constexpr std::int16_t kLow = -32767, kHigh = 32766;
    std::array<std::int16_t, kLanes> lo, hi;

    void include(const GridBounds& other) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            lo[k] = std::min(lo[k], other.lo[k]);
            hi[k] = std::max(hi[k], other.hi[k]);
        }
    }
    /// A box that meets no box of a grid.
    static GridBounds nowhere() {
        GridBounds box;
        box.lo.fill(std::numeric_limits<std::int16_t>::max());
        box.hi.fill(std::numeric_limits<std::int16_t>::min());
        return box;
    }
};

/// Boxes around a feature at the start and at the end of its path. Its corners move straight, so the gap between two
/// features along an axis is nowhere less than at one of the ends if their order along it is the same at both. Features
/// that move together stay separated so, however far they move.
struct WayBounds {
    std::array<GridBounds, 2> at;

    void include(const WayBounds& other) {
        at[0].include(other.at[0]);
        at[1].include(other.at[1]);
    }
    static WayBounds nowhere() { return {{GridBounds::nowhere(), GridBounds::nowhere()}}; }
};

/// Divides the box `whole` into 65,534 steps along each axis; places outside are clamped to its border.
class BoundsGrid {
public:
    explicit BoundsGrid(const Bounds& whole);
    GridBounds of(const Bounds& box) const;

private:
    std::array<float, Bounds::kAxes> middle_, scale_;
};

}  // namespace clothlab::geometry
