#include "geometry/plane_filter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "geometry/closest_points.hpp"

namespace clothlab::geometry {
namespace {

/// Eight pairs in motion, and the same as lanes of floats.
struct EightPairs {
    PairPoints start[8], end[8];
    double largest = 0;

    void spread(Corners8 (&from)[4], Corners8 (&to)[4]) {
        for (int corner = 0; corner < 4; ++corner)
            for (int axis = 0; axis < 3; ++axis) {
                float first[8], last[8];
                for (int lane = 0; lane < 8; ++lane) {
                    first[lane] = float(start[lane][corner][axis]);
                    last[lane] = float(end[lane][corner][axis]);
                    largest =
                        std::max({largest, std::abs(start[lane][corner][axis]), std::abs(end[lane][corner][axis])});
                }
                from[corner][axis] = simd::Float8::load(first);
                to[corner][axis] = simd::Float8::load(last);
            }
    }
    unsigned apart(PairKind kind, double gap) {
        Corners8 from[4], to[4];
        spread(from, to);
        const float wide = gapInFloats(gap, largest);
        return kind == PairKind::EdgeEdge ? keptApart<2>(from, &to, wide) : keptApart<1>(from, &to, wide);
    }
};

/// The least distance on the way, at 65 times.
double leastDistance(PairKind kind, const PairPoints& start, const PairPoints& end) {
    double least = 1e300;
    for (int step = 0; step <= 64; ++step) {
        PairPoints p;
        for (int k = 0; k < 4; ++k) p[k] = start[k] + step / 64.0 * (end[k] - start[k]);
        least = std::min(least, closestPoints(kind, p).distance());
    }
    return least;
}

TEST(PlaneFilter, WhatItKeepsApartStaysApart) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> unit(-1, 1);
    const auto point = [&] { return Vec3(unit(random), unit(random), unit(random)); };
    for (const PairKind kind : {PairKind::VertexTriangle, PairKind::EdgeEdge})
        for (const double far : {0.0, 1.0, 1e3}) {
            int kept = 0, couldBe = 0;
            for (int k = 0; k < 2000; ++k) {
                EightPairs eight;
                const Vec3 place = far * point();
                for (int lane = 0; lane < 8; ++lane)
                    for (int corner = 0; corner < 4; ++corner) {
                        Vec3 from = place + point();
                        // A nearly degenerate triangle or edge, and a degenerate one.
                        if (k % 5 == 0 && corner == 3) from = eight.start[lane][2] + 1e-8 * point();
                        if (k % 7 == 0 && corner == 3) from = eight.start[lane][2];
                        eight.start[lane][corner] = from;
                        eight.end[lane][corner] = from + 0.3 * point();
                    }
                const double gap = 0.1 * (k % 4);
                const unsigned apart = eight.apart(kind, gap);
                for (int lane = 0; lane < 8; ++lane) {
                    const double least = leastDistance(kind, eight.start[lane], eight.end[lane]);
                    couldBe += least > gap;
                    if ((apart >> lane & 1) == 0) continue;
                    ++kept;
                    ASSERT_GE(least, gap) << k << " " << lane;
                }
            }
            EXPECT_GT(kept, couldBe / 5) << "the filter has to be useful";
        }
}

TEST(PlaneFilter, KeepsNothingApartThatItCannotSee) {
    EightPairs eight;
    for (int lane = 0; lane < 8; ++lane) {
        eight.start[lane] = {Vec3(0.2, 0.2, 1), Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};
        eight.end[lane] = eight.start[lane];
    }
    EXPECT_EQ(eight.apart(PairKind::VertexTriangle, 0.5), 0xffu);
    eight.end[1][0].z() = -1;  // passes through
    eight.end[2][0].z() = 0.4;
    EXPECT_EQ(eight.apart(PairKind::VertexTriangle, 0.5), 0xf9u);
    eight.largest = std::numeric_limits<double>::infinity();  // as SurfaceTree sets it for invalid coordinates
    EXPECT_EQ(eight.apart(PairKind::VertexTriangle, 0.5), 0u);
    EXPECT_EQ(eight.apart(PairKind::VertexTriangle, std::numeric_limits<double>::infinity()), 0u);
}

}  // namespace
}  // namespace clothlab::geometry
