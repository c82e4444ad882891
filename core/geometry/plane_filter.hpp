#pragma once

#include "base/simd_floats.hpp"

/// Eight pairs at once: which of them does a plane keep apart?
///
/// A plane that lies along both sides of a pair, at the start of their ways, keeps their ways apart if it does so at
/// the start and at the end: the height of each corner over it is linear in time. Boxes of layers that lie on each
/// other overlap; such planes do not. This is the first step of the continuous test, in single precision and with a
/// bound on what that loses: it may fail to see that a pair stays apart, and never says so of one that does not.
namespace clothlab::geometry {

/// A corner of each of eight pairs at one time, axis by axis; m.
using Corners8 = simd::Float8[3];

namespace plane_filter {

struct Heights8 {
    simd::Float8 low, high;
};

/// Over the plane along n through the last corner: of the corners from `begin` to `end`.
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

/// Bit k: pair k is kept further apart than `gap` (m) on the way of its corners from `start` to `end`. The first
/// `kFirst` corners of a pair are one side, the others the other: a vertex and a triangle, or two edges. `gap` has
/// what rounding may take away in it; infinite, where a coordinate is no number.
template <int kFirst>
unsigned keptApart(const Corners8 (&start)[4], const Corners8 (&end)[4], float gap) {
    using simd::Float8;
    Corners8 along[2], n;
    for (int axis = 0; axis < 3; ++axis) {
        along[0][axis] = kFirst == 1 ? start[2][axis] - start[1][axis] : start[1][axis] - start[0][axis];
        along[1][axis] = kFirst == 1 ? start[3][axis] - start[1][axis] : start[3][axis] - start[2][axis];
    }
    plane_filter::cross(along[0], along[1], n);
    const Float8 square = multiplyAdd(n[0], n[0], multiplyAdd(n[1], n[1], n[2] * n[2]));
    struct Gaps {
        Float8 above, below;
    };
    const auto gapsAt = [&](const Corners8(&time)[4]) {
        const auto first = plane_filter::heights<0, kFirst>(n, time);
        const auto second = plane_filter::heights<kFirst, 4>(n, time);
        return Gaps{first.low - second.high, second.low - first.high};
    };
    const Gaps before = gapsAt(start), after = gapsAt(end);
    const Float8 above = smaller(before.above, after.above), below = smaller(before.below, after.below);
    const float least = 1e-30f;  // of |n|^2: what is smaller has lost its digits
    return lanesGreater(larger(above, below), squareRoot(square) * Float8::of(&gap)) &
           lanesGreater(square, Float8::of(&least));
}

/// `gap` with what floats of coordinates up to `largest` (m) can lose of the difference of two heights. Of 2^-24 |n|_1
/// of `largest` each height loses 2 by the rounding of its corners, 2 by that of their difference and 6 by that of a
/// sum of three products, the difference of two 4 more; and |n|_1 < 1.8 |n|.
inline float gapInFloats(double gap, double largest) { return float((gap + 48 * 0x1p-24 * largest) * (1 + 1e-6)); }

}  // namespace clothlab::geometry
