#pragma once

#include "base/simd_floats.hpp"

/// Tests eight pairs at once for a separating plane.
///
/// A plane separates the paths of two sides if it does so at the start and at the end: the height of each corner over
/// it is linear in time. Two planes are tried: one along both sides at the start, for layers that lie on each other,
/// and one across the shortest connection between them, for neighbours. This is the first step of the continuous test,
/// in single precision with a bound on its rounding: it may miss that a pair stays apart, but never claims it wrongly.
namespace clothlab::geometry {

/// A corner of each of eight pairs at one time, axis by axis; m.
using Corners8 = simd::Float8[3];

namespace plane_filter {

struct Heights8 {
    simd::Float8 low, high;
};

/// Heights over the plane along n through the last corner: of the corners from `begin` to `end`.
template <int kBegin, int kEnd>
Heights8 heights(const Corners8& n, const Corners8 (&corner)[4]) {
    Heights8 out{simd::Float8::zero(), simd::Float8::zero()};
    for (int k = kBegin; k < kEnd; ++k) {
        simd::Float8 h = simd::Float8::zero();  // of the last corner
        if (k < 3)
            for (int axis = 0; axis < 3; ++axis) h = multiplyAdd(n[axis], corner[k][axis] - corner[3][axis], h);
        out.low = k == kBegin ? h : smaller(out.low, h);
        out.high = k == kBegin ? h : larger(out.high, h);
    }
    return out;
}

inline void cross(const Corners8& a, const Corners8& b, Corners8& out) {
    for (int axis = 0; axis < 3; ++axis) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        out[axis] = a[next] * b[last] - a[last] * b[next];
    }
}

}  // namespace plane_filter

namespace plane_filter {

inline simd::Float8 dot(const Corners8& a, const Corners8& b) {
    return multiplyAdd(a[0], b[0], multiplyAdd(a[1], b[1], a[2] * b[2]));
}

/// Bit k: the plane along n keeps pair k further apart than `gap`. Without an end the pair is at rest.
template <int kFirst>
unsigned separates(const Corners8& n, const Corners8 (&start)[4], const Corners8 (*end)[4], float gap) {
    using simd::Float8;
    const Float8 square = dot(n, n);
    struct Gaps {
        Float8 above, below;
    };
    const auto gapsAt = [&](const Corners8(&time)[4]) {
        const auto first = heights<0, kFirst>(n, time);
        const auto second = heights<kFirst, 4>(n, time);
        return Gaps{first.low - second.high, second.low - first.high};
    };
    Gaps least = gapsAt(start);
    if (end) {
        const Gaps after = gapsAt(*end);
        least = {smaller(least.above, after.above), smaller(least.below, after.below)};
    }
    const float leastSquare = 1e-30f;  // what is smaller has lost its digits
    return lanesGreater(larger(least.above, least.below), squareRoot(square) * Float8::of(&gap)) &
           lanesGreater(square, Float8::of(&leastSquare));
}

/// Clamped to [0, 1]; NaN becomes 0.
inline simd::Float8 share(const simd::Float8& of) {
    const float one = 1;
    return smaller(larger(of, simd::Float8::zero()), simd::Float8::of(&one));
}

/// Roughly the direction from the second to the first side at the closest points: any is valid, this one often works.
template <int kFirst>
void across(const Corners8 (&along)[2], const Corners8 (&p)[4], Corners8& out) {
    using simd::Float8;
    Corners8 between;
    for (int axis = 0; axis < 3; ++axis) between[axis] = p[0][axis] - p[kFirst][axis];
    const Float8 a = dot(along[0], along[0]), b = dot(along[0], along[1]), e = dot(along[1], along[1]);
    const Float8 c = dot(along[0], between), f = dot(along[1], between), determinant = a * e - b * b;
    if (kFirst == 2) {
        Float8 s = share((b * f - c * e) / determinant);
        const Float8 t = share((b * s + f) / e);
        s = share((b * t - c) / a);
        for (int axis = 0; axis < 3; ++axis) out[axis] = between[axis] + s * along[0][axis] - t * along[1][axis];
    } else {
        const Float8 s = share((e * c - b * f) / determinant), t = share((a * f - b * c) / determinant);
        const float one = 1;
        const Float8 sum = larger(s + t, Float8::of(&one));
        for (int axis = 0; axis < 3; ++axis)
            out[axis] = between[axis] - s / sum * along[0][axis] - t / sum * along[1][axis];
    }
}

}  // namespace plane_filter

/// Bit k: pair k, of those `asked` for, is kept farther apart than `gap` (m) on the paths of its corners from `start`
/// to `end`; without one they rest. The first `kFirst` corners of a pair are one side, the others the other: a vertex
/// and a triangle, or two edges. `gap` includes the bound on rounding; infinite if a coordinate is NaN.
template <int kFirst>
unsigned keptApart(const Corners8 (&start)[4], const Corners8 (*end)[4], float gap, unsigned asked = 0xff) {
    Corners8 along[2], n;
    for (int axis = 0; axis < 3; ++axis) {
        along[0][axis] = kFirst == 1 ? start[2][axis] - start[1][axis] : start[1][axis] - start[0][axis];
        along[1][axis] = kFirst == 1 ? start[3][axis] - start[1][axis] : start[3][axis] - start[2][axis];
    }
    plane_filter::cross(along[0], along[1], n);
    unsigned apart = asked & plane_filter::separates<kFirst>(n, start, end, gap);
    if (apart == asked) return apart;
    // Neighbours in a flat piece of cloth lie in one plane.
    plane_filter::across<kFirst>(along, start, n);
    return apart | (asked & plane_filter::separates<kFirst>(n, start, end, gap));
}

/// `gap` plus the largest rounding error of the difference of two heights for float coordinates up to `largest` (m). In
/// units of 2^-24 |n|_1 `largest`, each height loses 2 by the rounding of its corners, 2 by that of their difference
/// and 6 by that of a sum of three products, the difference of two 4 more; and |n|_1 < 1.8 |n|.
inline float gapInFloats(double gap, double largest) { return float((gap + 48 * 0x1p-24 * largest) * (1 + 1e-6)); }

}  // namespace clothlab::geometry
