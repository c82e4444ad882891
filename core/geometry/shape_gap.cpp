#include "geometry/shape_gap.hpp"

#include <cmath>

namespace clothlab::geometry {
namespace {

/// In the world's frame.
DistanceSample distanceTo(const PlacedShape& placed, const Vec3& point) {
    DistanceSample sample = signedDistance(*placed.shape, placed.orientation.conjugate() * (point - placed.position));
    sample.normal = placed.orientation * sample.normal;
    return sample;
}

/// From a point to the closest of one shape, of the other, and so on: for convex shapes these come to the closest pair
/// (Cheney and Goldstein, Proc. AMS 10, 1959).
Gap projectToAndFro(const PlacedShape& first, const PlacedShape& second, Vec3 point) {
    constexpr int kTurns = 200;
    constexpr double kStill = 1e-9;  // m
    Gap gap{1e300, Vec3::UnitY()};
    for (int turn = 0; turn < kTurns; ++turn) {
        const DistanceSample toSecond = distanceTo(second, point);
        const Vec3 onSecond = point - toSecond.distance * toSecond.normal;
        const DistanceSample toFirst = distanceTo(first, onSecond);
        const double last = gap.distance;
        gap = {toFirst.distance, -toFirst.normal};
        if (toFirst.distance <= 0 || last - gap.distance < kStill) break;
        point = onSecond - toFirst.distance * toFirst.normal;
    }
    return gap;
}

}  // namespace

std::optional<Gap> gapBetween(const PlacedShape& first, const PlacedShape& second) {
    const bool firstIsPlane = std::holds_alternative<Plane>(*first.shape);
    if (firstIsPlane && std::holds_alternative<Plane>(*second.shape)) return std::nullopt;
    const PlacedShape& body = firstIsPlane ? second : first;
    Gap best = projectToAndFro(first, second, body.position);
    // A body with dents has more than one close place: corners of the cube in its bounding sphere find others.
    const double corner = boundingRadius(*body.shape) / std::sqrt(3.0);
    for (int k = 0; k < 8; ++k) {
        const Vec3 start = body.position + corner * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
        if (const Gap gap = projectToAndFro(first, second, start); gap.distance < best.distance) best = gap;
    }
    return best;
}

}  // namespace clothlab::geometry
