#include "geometry/shape_sweep.hpp"

#include <cmath>

namespace clothlab::geometry {

std::optional<FirstTouch> firstTouch(const Shape& shape, const Vec3& from, const Vec3& to) {
    constexpr int kMostSteps = 200;
    constexpr double kTouches = 1e-10, kNearMesh = 1e-6;  // m
    const bool bends = std::holds_alternative<MeshSolid>(shape);
    const double touches = bends ? kNearMesh : kTouches;
    const Vec3 way = to - from;
    const double length = way.norm();
    DistanceSample sample = signedDistance(shape, from);
    if (!(sample.distance >= 0) || !(sample.distance <= length) || length == 0) return {};
    double share = 0;
    for (int k = 0; k < kMostSteps; ++k) {
        const double approach = -sample.normal.dot(way);  // m, of all the way
        if (!(approach > 0) && !bends) return {};
        if (sample.distance <= touches) {
            if (!(approach > 0)) return {};
            return FirstTouch{share, from + share * way, sample.normal};
        }
        share += sample.distance / (bends ? length : approach);
        if (!(share <= 1)) return {};
        sample = signedDistance(shape, from + share * way);
    }
    // It comes ever nearer along the surface.
    return FirstTouch{share, from + share * way, sample.normal};
}

}  // namespace clothlab::geometry
