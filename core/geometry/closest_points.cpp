#include "geometry/closest_points.hpp"

#include <algorithm>

#include "geometry/pair_geometry.hpp"

namespace clothlab::geometry {

ClosestPoints closestPoints(PairKind kind, const PairPoints& p) {
    const PairOf<double> q = toPair<double>(p);
    ClosestPoints out;
    out.weights = closestWeights(kind, q);
    const Point<double> apart = apartBy(kind, out.weights, q);
    out.apart = Vec3(apart.x, apart.y, apart.z);
    return out;
}

}  // namespace clothlab::geometry
