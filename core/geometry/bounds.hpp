#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "base/types.hpp"

namespace clothlab::geometry {

/// Where points are and where they go within a step: from x to x + u, m, three numbers a point. Without u they rest.
struct PointMotion {
    std::span<const double> x, u = {};

    Index size() const { return Index(x.size() / 3); }
    Vec3 from(Index i) const { return Eigen::Map<const Vec3>(&x[3 * std::size_t(i)]); }
    Vec3 to(Index i) const {
        return u.empty() ? from(i) : Vec3(from(i) + Eigen::Map<const Vec3>(&u[3 * std::size_t(i)]));
    }
};

/// A box whose corners and edges are cut: an interval along each of nine directions, in single precision, rounded
/// outward: what it is made of lies within. Layers of cloth that lie across the axes of the world are thin along
/// another of the nine, and most of their pairs fall out there.
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
    /// Moves the box by `offset` and takes in everything within `pad` (m) of it.
    void shift(const Vec3& offset, double pad);
    /// Around the way from a to b and everything within `pad` (m) of it.
    static Bounds around(const Vec3& a, const Vec3& b, double pad);
};

/// A box in whole numbers, two bytes each, of which sixteen are compared at once. What they are numbers of is a
/// BoundsGrid: places of one axis keep their order, and so boxes that meet go on meeting.
struct GridBounds {
    static constexpr std::size_t kLanes = 16;  ///< axes, and what fills a register
    static constexpr std::int16_t kLow = -32767, kHigh = 32766;
    std::array<std::int16_t, kLanes> lo, hi;

    void include(const GridBounds& other) {
        for (std::size_t k = 0; k < kLanes; ++k) {
            lo[k] = std::min(lo[k], other.lo[k]);
            hi[k] = std::max(hi[k], other.hi[k]);
        }
    }
    /// Meets no box that a grid gives.
    static GridBounds nowhere() {
        GridBounds box;
        box.lo.fill(std::numeric_limits<std::int16_t>::max());
        box.hi.fill(std::numeric_limits<std::int16_t>::min());
        return box;
    }
};

/// Boxes around a feature at the start and at the end of its way. Its corners go straight, so the gap between two
/// features along an axis is nowhere less than at one of the ends if they lie in the same order at both. What moves
/// together stays apart so, however far it goes.
struct WayBounds {
    std::array<GridBounds, 2> at;

    void include(const WayBounds& other) {
        at[0].include(other.at[0]);
        at[1].include(other.at[1]);
    }
    static WayBounds nowhere() { return {{GridBounds::nowhere(), GridBounds::nowhere()}}; }
};

/// Divides the room in `whole` into 65,534 steps along each axis; what lies beyond counts as at its border.
class BoundsGrid {
public:
    explicit BoundsGrid(const Bounds& whole);
    GridBounds of(const Bounds& box) const;

private:
    std::array<float, Bounds::kAxes> middle_, scale_;
};

}  // namespace clothlab::geometry
