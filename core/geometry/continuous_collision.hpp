#pragma once

#include <optional>

#include "geometry/closest_points.hpp"

/// Do two sides of a pair meet while their corners move along straight lines? The answer never misses.
///
/// Usual tests look for the roots of the cubic at which the four points are coplanar, and must decide with rounded
/// roots whether the two sides touch there: near the border of a triangle, or with edges that are nearly parallel,
/// they can miss. This one never looks for a meeting. It proves that there is none, over one stretch of time after the
/// other, and calls a meeting what it cannot exclude:
///
///     s(n, t) = min over corners of the first side n.p(t)  -  max over corners of the second side n.p(t)
///
/// is positive if a plane with normal n separates the sides at time t. Each n.p(t) is linear in t, so s is concave: if
/// it is positive at both ends of a stretch, with the same n, it is so within. Any n will do; the direction between the
/// closest points at the beginning of a stretch is a good one, and the straight lines say how far it reaches. All
/// that rounding can spoil is the value of s at two times, and its error is bounded: a motion that passes
/// is free of meetings in exact arithmetic.
///
/// What just misses can be called a meeting: sides that come closer than `least`, or that turn about each other so fast
/// that a fixed number of stretches does not suffice. With `least` = 0 what doubles cannot tell apart (1e-14 of the
/// coordinates) is tried again in quadruple precision, and called a meeting below 1e-32 of them.
namespace clothlab::geometry {

struct PairMotion {
    PairKind kind;
    PairPoints start, end;  ///< m; between them every corner moves along a straight line

    PairPoints at(double t) const;  ///< t in [0, 1]; the very start and end at 0 and 1
};

/// A time in [0, 1] until which the sides are proven to stay further apart than `least` (m, >= 0), where they come
/// closer soon afterwards, or seem to; none: they stay apart throughout. 0 too for coordinates that are not finite.
std::optional<double> firstMeeting(const PairMotion& motion, double least = 0);

}  // namespace clothlab::geometry
