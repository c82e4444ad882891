#include "geometry/unfolded_regions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <set>

#include <Eigen/Geometry>

#include "geometry/continuous_collision.hpp"
#include "geometry/surface_tree.hpp"

namespace clothlab::geometry {
namespace {

constexpr double kSpacing = 0.02, kReach = 0.0025;  // m

/// A surface at rest, and where its points are at the start and at the end of a step.
struct Surface {
    std::vector<Vec3> rest, start, moved;
    std::vector<Triangle> triangles;

    std::vector<MeshEdge> edges() const { return collectEdges(triangles, Index(rest.size())); }
    PointMotion motion() const { return {{start[0].data(), 3 * start.size()}, {moved[0].data(), 3 * moved.size()}}; }
    /// The surface goes from one shape to the next.
    void go(const std::function<Vec3(const Vec3&)>& from, const std::function<Vec3(const Vec3&)>& to) {
        start.clear();
        moved.clear();
        for (const Vec3& p : rest) {
            start.push_back(from(p));
            moved.push_back(to(p) - start.back());
        }
    }
    void goAnywhere(double disorder, std::uint32_t seed) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> unit(-1, 1);
        const auto some = [&](const Vec3& p) -> Vec3 {
            return p + disorder * Vec3(unit(random), unit(random), unit(random));
        };
        go(some, some);
    }
};

Surface sheet(int side, double disorder = 0) {
    Surface out;
    std::mt19937 random(7);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int r = 0; r < side; ++r)
        for (int c = 0; c < side; ++c)
            out.rest.push_back(kSpacing * Vec3(c + disorder * unit(random), 0, r + disorder * unit(random)));
    out.triangles = gridTriangles({side, side});
    return out;
}

/// The sheet around a cylinder: bent at rest.
Surface tube(int side) {
    Surface out = sheet(side);
    const double radius = kSpacing * (side - 1) / (1.5 * std::numbers::pi);
    for (Vec3& p : out.rest) p = Vec3(radius * std::cos(p.x() / radius), radius * std::sin(p.x() / radius), p.z());
    return out;
}

Surface without(Surface of, const std::function<bool(const Vec3&)>& gone) {
    std::erase_if(of.triangles, [&](const Triangle& t) {
        return gone((of.rest[t[0]] + of.rest[t[1]] + of.rest[t[2]]) / (3 * kSpacing));
    });
    return of;
}

Vec3 stays(const Vec3& p) { return p; }

/// Rolled up by an angle per metre of x, at an angle to the axes of the world.
std::function<Vec3(const Vec3&)> rolled(double perMetre) {
    return [=](const Vec3& p) -> Vec3 {
        const double angle = perMetre * p.x();
        const Vec3 bent(std::sin(angle) / perMetre, (1 - std::cos(angle)) / perMetre, p.z());
        return Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()) * bent + Vec3(5, -3, 2);
    };
}

struct NearPairs {
    std::size_t near = 0, missed = 0, found = 0;
};

/// Compares the tree, which skips unfolded regions, with all pairs: how many come within kReach at sampled times, how
/// many of those the tree misses, and how many it finds in total. With flags: only pairs with a changed point, in a
/// tree that was placed elsewhere before.
NearPairs compareWithAll(const Surface& s, const Surface* placedBefore = nullptr,
                         const std::vector<std::uint8_t>& changed = {}) {
    WorkerPool pool(1);
    SurfaceTree tree;
    const std::vector<MeshEdge> edges = s.edges();
    tree.build(s.rest, s.triangles, edges);
    if (placedBefore) tree.place(placedBefore->motion(), 0.5 * kReach, pool);
    tree.place(s.motion(), 0.5 * kReach, pool, changed);
    tree.findPatchPairs(pool, kReach);
    FeaturePairs found;
    tree.findPairs(s.motion(), 0.5 * kReach, kReach, found, pool);
    std::set<std::array<Index, 2>> vertexTriangle(found.vertexTriangle.begin(), found.vertexTriangle.end());
    std::set<std::array<Index, 2>> edgeEdge(found.edgeEdge.begin(), found.edgeEdge.end());
    NearPairs out{.found = found.size()};
    const auto check = [&](PairKind kind, const std::array<Index, 4>& corners, bool known) {
        PairMotion m{kind, {}, {}};
        for (int k = 0; k < 4; ++k) {
            m.start[k] = s.motion().from(corners[k]);
            m.end[k] = s.motion().to(corners[k]);
        }
        bool near = false;
        if (!changed.empty() && std::ranges::none_of(corners, [&](Index i) { return changed[i] != 0; })) return;
        for (int t = 0; t <= 8 && !near; ++t) near = closestPoints(kind, m.at(t / 8.0)).distance() < kReach;
        out.near += near;
        out.missed += near && !known;
    };
    for (Index t = 0; t < Index(s.triangles.size()); ++t)
        for (Index v = 0; v < Index(s.rest.size()); ++v) {
            const auto& [a, b, c] = s.triangles[t];
            const bool inside = std::ranges::any_of(
                s.triangles, [&](const Triangle& f) { return f[0] == v || f[1] == v || f[2] == v; });
            if (inside && v != a && v != b && v != c)
                check(PairKind::VertexTriangle, {v, a, b, c}, vertexTriangle.contains({v, t}));
        }
    for (Index e = 0; e < Index(edges.size()); ++e)
        for (Index f = e + 1; f < Index(edges.size()); ++f) {
            const MeshEdge &p = edges[e], &q = edges[f];
            if (p.a != q.a && p.a != q.b && p.b != q.a && p.b != q.b)
                check(PairKind::EdgeEdge, {p.a, p.b, q.a, q.b}, edgeEdge.contains({e, f}));
        }
    return out;
}

TEST(UnfoldedRegions, ASheetThatIsNotFoldedHasNothingToCompare) {
    const auto collectPairs = [](Surface s, double reach) {
        SurfaceTree tree;
        WorkerPool pool(1);
        tree.build(s.rest, s.triangles, s.edges());
        s.go(rolled(3), rolled(3.2));
        tree.place(s.motion(), 0.5 * reach, pool);
        return tree.findPatchPairs(pool, reach);
    };
    EXPECT_EQ(collectPairs(sheet(33), kReach), 0);
    const Index all = collectPairs(sheet(33), kSpacing);
    EXPECT_GT(all, 500) << "neighbours are within this reach";
    // A rim that is not convex is searched, but not the whole sheet.
    EXPECT_LT(collectPairs(sheet(33, 0.2), kReach), all / 3);
    const Surface round = without(sheet(33), [](const Vec3& p) { return std::hypot(p.x() - 16, p.z() - 16) > 15; });
    EXPECT_LT(collectPairs(round, kReach), all / 3);
}

TEST(UnfoldedRegions, NothingThatComesNearIsPassedOver) {
    const Surface holed = without(sheet(11), [](const Vec3& p) { return std::hypot(p.x() - 5, p.z() - 5) < 2.5; });
    const Surface slit = without(sheet(11), [](const Vec3& p) { return std::abs(p.x() - 5.5) < 0.5 && p.z() < 8; });
    std::size_t near = 0;
    for (const Surface& rest : {sheet(11), sheet(11, 0.3), tube(11), holed, slit}) {
        Surface s = rest;
        for (const double turn : {3.0, 20.0, 60.0, 100.0}) {
            s.go(rolled(turn), rolled(1.2 * turn));
            const NearPairs pairs = compareWithAll(s);
            EXPECT_EQ(pairs.missed, 0u) << turn;
            near += pairs.near;
        }
        for (const double disorder : {0.2, 0.5, 1.5}) {
            s.goAnywhere(disorder * kSpacing, 5);
            const NearPairs pairs = compareWithAll(s);
            EXPECT_EQ(pairs.missed, 0u) << disorder;
            near += pairs.near;
        }
    }
    EXPECT_GT(near, 10000u);
}

// At both ends of the step the sheet is flat, and in the middle it has no area.
TEST(UnfoldedRegions, ASheetThatTurnsInsideOutWithinAStepIsLookedAt) {
    Surface s = sheet(11);
    s.go(stays, [](const Vec3& p) { return Vec3(-p.x(), 0, p.z()); });
    const NearPairs pairs = compareWithAll(s);
    EXPECT_EQ(pairs.missed, 0u);
    EXPECT_GT(pairs.near, 1000u);
}

TEST(UnfoldedRegions, LipsOfASlitAndSidesOfAHoleAreLookedAt) {
    // The lips touch: the sheet is flat, and there is no cloth between the patches.
    Surface slit = without(sheet(17), [](const Vec3& p) { return std::abs(p.x() - 8.5) < 0.5 && p.z() < 12; });
    const auto closed = [](const Vec3& p) -> Vec3 {
        return p - (p.x() > 8.5 * kSpacing && p.z() < 11 * kSpacing ? 0.95 * kSpacing : 0) * Vec3::UnitX();
    };
    slit.go(closed, closed);
    const NearPairs pairs = compareWithAll(slit);
    EXPECT_EQ(pairs.missed, 0u);
    EXPECT_GT(pairs.near, 20u);
}

// Points without a flag may have moved, too: the tree uses their present places, not the former ones.
TEST(UnfoldedRegions, PartsThatAreNotAskedAboutCountWhereTheyAre) {
    Surface before = sheet(17), now = before;
    before.go(stays, stays);
    now.go(rolled(60), rolled(60));
    std::vector<std::uint8_t> changed(now.rest.size(), 0);
    for (std::size_t i = 0; i < changed.size(); i += 7) changed[i] = i % 17 < 6;
    const NearPairs pairs = compareWithAll(now, &before, changed);
    EXPECT_EQ(pairs.missed, 0u);
    EXPECT_GT(pairs.near, 50u);
}

TEST(UnfoldedRegions, CoordinatesThatAreNoNumbersLeaveNothingOut) {
    Surface s = sheet(9);
    s.go(stays, stays);
    s.moved[40].x() = NAN;
    WorkerPool pool(1);
    SurfaceTree tree;
    tree.build(s.rest, s.triangles, s.edges());
    tree.place(s.motion(), 0.5 * kReach, pool);
    EXPECT_GT(tree.findPatchPairs(pool, kReach), 0);
}

}  // namespace
}  // namespace clothlab::geometry
