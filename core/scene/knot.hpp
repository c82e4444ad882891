#pragma once

#include <vector>

#include "base/types.hpp"

namespace clothlab::scene {

/// An overhand knot, loose: a curve along x, drawn in the plane as seen along z, going over and under itself along z.
/// Points at equal distances of arc length, `length` (m) in total, and the direction across the curve nearest to z: a
/// ribbon laid along the curve with its width across it is on edge, so that it hardly stretches.
struct KnotCurve {
    std::vector<Vec3> places, across;

    KnotCurve(int points, double length);
    /// Least number of segments along the ribbon per segment across it: a wider one would meet itself.
    static constexpr int kLeastAspect = 50;
};

}  // namespace clothlab::scene
