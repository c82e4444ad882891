#include "geometry/closest_points.hpp"

#include <algorithm>

#include "geometry/pair_geometry.hpp"

namespace clothlab::geometry {

ClosestPoints closestPoints(PairKind kind, const PairPoints& p) {
    const PairOf<double> q = pairOf<double>(p);
    ClosestPoints out;
    out.weights = closestWeights(kind, q);
    const Point<double> apart = apartBy(kind, out.weights, q);
    out.apart = Vec3(apart.x, apart.y, apart.z);
    return out;
}

double distanceAtLeast(PairKind kind, const PairPoints& p) {
    const bool vertex = kind == PairKind::VertexTriangle;
    const Vec3 n = vertex ? (p[2] - p[1]).cross(p[3] - p[1]) : (p[1] - p[0]).cross(p[3] - p[2]);
    const double size = n.norm();
    if (!(size > 0)) return 0;
    // Of the corners relative to the first; near the border of what rounding can tell n is any direction, and will do.
    const double a = n.dot(p[1] - p[0]), b = n.dot(p[2] - p[0]), c = n.dot(p[3] - p[0]);
    const double low = vertex ? 0 : std::min(0.0, a), high = vertex ? 0 : std::max(0.0, a);
    const double otherLow = vertex ? std::min({a, b, c}) : std::min(b, c);
    const double otherHigh = vertex ? std::max({a, b, c}) : std::max(b, c);
    return std::max({0.0, otherLow - high, low - otherHigh}) / size;
}

}  // namespace clothlab::geometry
