#include "geometry/continuous_collision.hpp"

#include <algorithm>
#include <cmath>

#include "geometry/pair_geometry.hpp"

namespace clothlab::geometry {
namespace {

#if __LDBL_MANT_DIG__ >= 113
using Quadruple = long double;
#else
__extension__ using Quadruple = __float128;
#endif

/// |computed s - s| <= roundings<T> |n|_1 max |coordinate|: 18 roundings, and room.
template <class T>
constexpr double kRounding = 32 * 0x1p-53;
template <>
constexpr double kRounding<Quadruple> = 32 * 0x1p-113;

/// A shorter stretch is not tried: the sides meet, as far as this precision can tell.
template <class T>
constexpr double kShortestStretch = 0x1p-44;
template <>
constexpr double kShortestStretch<Quadruple> = 0x1p-104;

template <class T>
constexpr int kMostStretches = 64;
template <>
constexpr int kMostStretches<Quadruple> = 256;

/// Share of the way to where a direction would stop separating that is taken at once.
constexpr double kShareOfReach = 0.9;

template <class T>
T magnitude(T a) {
    return a < 0 ? -a : a;
}

/// n.p of the corners, and how s(n) follows from them: the least over pairs of a corner of the first side and one of
/// the second.
template <class T>
struct Heights {
    std::array<T, 4> of;

    Heights(const Point<T>& n, const PairOf<T>& p) : of{n.dot(p[0]), n.dot(p[1]), n.dot(p[2]), n.dot(p[3])} {}
    T separation(PairKind kind) const {
        if (kind == PairKind::VertexTriangle) return of[0] - std::max({of[1], of[2], of[3]});
        return std::min(of[0], of[1]) - std::max(of[2], of[3]);
    }
};

/// The share of the rest of the motion after which s would have fallen to `floor`, were n kept; > 1: never.
template <class T>
T reach(PairKind kind, const Heights<T>& now, const Heights<T>& end, T floor) {
    T share = 2;
    const int first = kind == PairKind::VertexTriangle ? 1 : 2;
    for (int i = 0; i < first; ++i)
        for (int j = first; j < 4; ++j) {
            const T gap = now.of[i] - now.of[j] - floor, gapAtEnd = end.of[i] - end.of[j] - floor;
            if (gapAtEnd <= 0) share = std::min(share, T(gap / (gap - gapAtEnd)));
        }
    return share;
}

template <class T>
PairOf<T> placesAt(const PairOf<T>& start, const PairOf<T>& end, T t) {
    PairOf<T> p;
    for (int k = 0; k < 4; ++k) p[k] = start[k] + t * (end[k] - start[k]);
    return p;
}

/// `size` bounds the coordinates.
template <class T>
std::optional<double> meetingIn(const PairMotion& motion, double size, double least) {
    const PairKind kind = motion.kind;
    const PairOf<T> start = toPair<T>(motion.start), end = toPair<T>(motion.end);
    const T rounding = T(kRounding<T>) * T(size);
    PairOf<T> now = start;
    T t = 0;
    for (int stretch = 0; stretch < kMostStretches<T>; ++stretch) {
        const Point<T> n = apartBy(kind, closestWeights(kind, now), now);
        T floor = rounding * (magnitude(n.x) + magnitude(n.y) + magnitude(n.z));
        if (least > 0) floor += T(least * std::sqrt(double(n.squaredNorm())) * (1 + 1e-14));
        const Heights<T> here(n, now), atEnd(n, end);
        if (!(here.separation(kind) > floor)) return double(t);
        if (atEnd.separation(kind) > floor) return {};

        T next = t + T(kShareOfReach) * reach(kind, here, atEnd, floor) * (1 - t);
        for (;; next = t + (next - t) / 2) {
            if (!(next - t > T(kShortestStretch<T>))) return double(t);
            now = placesAt(start, end, next);
            if (Heights<T>(n, now).separation(kind) > floor) break;
        }
        t = next;
    }
    return double(t);
}

/// The largest magnitude of a coordinate; NaN if any of them is not finite.
double largestCoordinate(const PairMotion& m) {
    double largest = 0, sum = 0;
    for (const PairPoints* points : {&m.start, &m.end})
        for (const Vec3& p : *points) {
            largest = std::max(largest, p.cwiseAbs().maxCoeff());
            sum += p.sum();
        }
    return std::isfinite(sum) ? largest : NAN;
}

}  // namespace

PairPoints PairMotion::at(double t) const {
    if (t <= 0) return start;
    if (t >= 1) return end;
    PairPoints p;
    for (int k = 0; k < 4; ++k) p[k] = start[k] + t * (end[k] - start[k]);
    return p;
}

std::optional<double> firstMeeting(const PairMotion& motion, double least) {
    const double size = largestCoordinate(motion);
    auto meeting = meetingIn<double>(motion, size, least);
    // Where a distance is asked for, that doubles cannot tell does not matter.
    if (meeting && least <= 0 && std::isfinite(size)) meeting = meetingIn<Quadruple>(motion, size, 0);
    return meeting;
}

}  // namespace clothlab::geometry
