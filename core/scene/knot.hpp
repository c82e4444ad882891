#pragma once

#include <vector>

#include "base/types.hpp"

namespace clothlab::scene {

/// An overhand knot, loose: a curve along x, seen along z as the knot is drawn in a plane, going over and under itself
/// along z. Places at equal distances of arc length, the whole `length` (m), and the direction across the curve that is
/// nearest to z: a ribbon laid along the curve with its width across it stands on its edge, so that it hardly
/// stretches.
struct KnotCurve {
    std::vector<Vec3> places, across;

    KnotCurve(int points, double length);
    /// Of the length: how wide a ribbon may be and still go over and under itself.
    static constexpr double kWidestShare = 0.02;
};

}  // namespace clothlab::scene
