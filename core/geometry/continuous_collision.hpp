#pragma once

#include <optional>

#include "geometry/closest_points.hpp"

/// Conservative test whether two sides of a pair meet while their corners move along straight lines: it misses none.
///
/// Usual tests look for the roots of the cubic at which the four points are coplanar, and must decide with rounded
/// roots whether the two sides touch there: near the border of a triangle, or with edges that are nearly parallel, they
/// can miss. This one proves that there is no meeting, over one interval of time after the other, and reports a meeting
/// where it cannot exclude one:
///
///     s(n, t) = min over corners of the first side n.p(t)  -  max over corners of the second side n.p(t)
///
/// is positive if a plane with normal n separates the sides at time t. Each n.p(t) is linear in t, so s is concave: if
/// it is positive at both ends of an interval, with the same n, it is so within. Any n will do; the direction between
/// the closest points at the beginning of an interval is a good one, and the straight lines tell how far it reaches.
/// Rounding affects only the value of s at two times, and its error is bounded: a motion that passes is free of
/// meetings in exact arithmetic.
///
/// A near miss can be reported as a meeting: sides that come closer than `least`, or that turn about each other so fast
/// that a fixed number of intervals does not suffice. With `least` = 0, distances below the resolution of doubles
/// (1e-14 of the coordinates) are retried in quadruple precision, and count as a meeting below 1e-32 of them.
namespace clothlab::geometry {

struct PairMotion {
    PairKind kind;
    PairPoints start, end;  ///< m; between them every corner moves along a straight line

    PairPoints at(double t) const;  ///< t in [0, 1]; the very start and end at 0 and 1
};

/// A time in [0, 1] until which the sides are proven to stay farther apart than `least` (m, >= 0), soon after which
/// they come closer or may do so; empty: they stay apart throughout. 0 too for coordinates that are not finite.
std::optional<double> firstMeeting(const PairMotion& motion, double least = 0);

}  // namespace clothlab::geometry
