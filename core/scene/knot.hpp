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
    /// Segments along the ribbon for each across it, at least: a wider one would meet itself.
    static constexpr int kLeastAspect = 50;
};

}  // namespace clothlab::scene
