#pragma once

#include <algorithm>
#include <array>
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

/// The way of a point.
struct PointWay {
    Bounds box;                     ///< around the way, and what is to be seen beside it
    std::array<float, 3> from, to;  ///< m, rounded

    static PointWay of(const Vec3& from, const Vec3& to, double pad);
};

}  // namespace clothlab::geometry
