#include "geometry/surface_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "geometry/continuous_collision.hpp"
#include "geometry/intersections.hpp"

namespace clothlab::geometry {
namespace {

PointMotion makeMotion(const std::vector<Vec3>& x, const std::vector<Vec3>& u) {
    return {{x[0].data(), 3 * x.size()}, {u[0].data(), 3 * u.size()}};
}

/// A crumpled sheet and the motion of its points.
struct Crumpled {
    static constexpr double kPad = 0.001;
    std::vector<Vec3> start, end, moved;
    std::vector<Triangle> triangles;
    std::vector<MeshEdge> edges;

    Crumpled(int side, double disorder, std::uint32_t seed) {
        const GridPatch grid{side, side};
        std::mt19937 random(seed);
        std::uniform_real_distribution<double> unit(-1, 1);
        for (int r = 0; r < side; ++r)
            for (int c = 0; c < side; ++c) {
                const Vec3 flat(double(c) / side, 0, double(r) / side);
                start.push_back(flat + disorder * Vec3(unit(random), unit(random), unit(random)));
                end.push_back(start.back() + 0.3 * disorder * Vec3(unit(random), unit(random), unit(random)));
            }
        triangles = gridTriangles(grid);
        edges = collectEdges(triangles, Index(start.size()));
        for (std::size_t i = 0; i < start.size(); ++i) moved.push_back(end[i] - start[i]);
    }
    PointMotion motion() const { return makeMotion(start, moved); }
    /// Bounds of these points at the start and at the end.
    std::array<Bounds, 2> of(std::initializer_list<Index> corners) const {
        std::array boxes{Bounds::empty(), Bounds::empty()};
        for (const Index i : corners) {
            boxes[0].include(Bounds::around(start[i], start[i], kPad));
            boxes[1].include(Bounds::around(motion().to(i), motion().to(i), kPad));
        }
        return boxes;
    }
};

bool below(const std::array<Bounds, 2>& a, const std::array<Bounds, 2>& b, int axis) {
    return a[0].hi[axis] < b[0].lo[axis] && a[1].hi[axis] < b[1].lo[axis];
}

/// False if one lies below the other along some axis, both at the start and at the end.
bool mayMeet(const std::array<Bounds, 2>& a, const std::array<Bounds, 2>& b) {
    for (int axis = 0; axis < Bounds::kAxes; ++axis)
        if (below(a, b, axis) || below(b, a, axis)) return false;
    return true;
}

constexpr double kFar = std::numeric_limits<double>::infinity();

using PairList = std::vector<std::array<Index, 2>>;

PairList sorted(PairList pairs) {
    std::ranges::sort(pairs);
    return pairs;
}

// 15 triangles do not fill the blocks of eight; the padding must not be found.
TEST(SurfaceTree, BoxesWithoutEndHoldNothingButMembers) {
    constexpr double kInfinite = std::numeric_limits<double>::infinity();
    Crumpled c(4, 0.5, 3);
    c.triangles.resize(15);
    c.edges = collectEdges(c.triangles, Index(c.start.size()));
    SurfaceTree tree;
    tree.build(c.start, c.triangles, c.edges);
    WorkerPool pool(1);
    tree.place(c.motion(), kInfinite, pool);
    tree.findPatchPairs(pool);
    FeaturePairs pairs;
    tree.findPairs(c.motion(), kInfinite, kInfinite, pairs, pool);
    PairList all;
    for (Index v = 0; v < Index(c.start.size()); ++v)
        for (Index t = 0; t < 15; ++t)
            if (std::ranges::find(c.triangles[t], v) == c.triangles[t].end()) all.push_back({v, t});
    std::erase_if(all, [&](const auto& pair) {  // a vertex of no triangle is no member
        return std::ranges::none_of(c.triangles,
                                    [&](const Triangle& t) { return std::ranges::find(t, pair[0]) != t.end(); });
    });
    EXPECT_EQ(sorted(pairs.vertexTriangle), sorted(all));
    for (const auto& [e, f] : pairs.edgeEdge) EXPECT_TRUE(e < f && f < Index(c.edges.size()));
}

void findAll(SurfaceTree& tree, const PointMotion& motion, FeaturePairs& out, WorkerPool& pool,
             std::span<const std::uint8_t> changed = {}) {
    tree.place(motion, Crumpled::kPad, pool, changed);
    tree.findPatchPairs(pool);
    tree.findPairs(motion, Crumpled::kPad, kFar, out, pool);
}

TEST(SurfaceTree, FindsWhatAllAgainstAllFinds) {
    for (const int side : {2, 3, 9, 17})
        for (const double disorder : {0.0, 0.05, 1.0}) {
            const Crumpled c(side, disorder, 11);
            PairList vertexTriangle, edgeEdge;
            for (Index v = 0; v < Index(c.start.size()); ++v)
                for (Index t = 0; t < Index(c.triangles.size()); ++t) {
                    const Triangle& f = c.triangles[t];
                    if (std::ranges::count(f, v) == 0 && mayMeet(c.of({v}), c.of({f[0], f[1], f[2]})))
                        vertexTriangle.push_back({v, t});
                }
            for (Index e = 0; e < Index(c.edges.size()); ++e)
                for (Index f = e + 1; f < Index(c.edges.size()); ++f) {
                    const MeshEdge &a = c.edges[e], &b = c.edges[f];
                    if (a.a == b.a || a.a == b.b || a.b == b.a || a.b == b.b) continue;
                    if (mayMeet(c.of({a.a, a.b}), c.of({b.a, b.b}))) edgeEdge.push_back({e, f});
                }
            SurfaceTree tree;
            FeaturePairs first;
            for (const int threads : {1, 3}) {
                WorkerPool pool(threads, 1);
                tree.build(c.start, c.triangles, c.edges);
                FeaturePairs found;
                findAll(tree, c.motion(), found, pool);
                // The tree's boxes in whole numbers sometimes meet where boxes in floats just do not.
                EXPECT_TRUE(std::ranges::includes(sorted(found.vertexTriangle), sorted(vertexTriangle)))
                    << side << " " << disorder;
                EXPECT_TRUE(std::ranges::includes(sorted(found.edgeEdge), sorted(edgeEdge))) << side << " " << disorder;
                EXPECT_LE(double(found.size()), 1.01 * double(vertexTriangle.size() + edgeEdge.size()));
                if (threads == 1)
                    first = found;
                else
                    EXPECT_TRUE(first.vertexTriangle == found.vertexTriangle && first.edgeEdge == found.edgeEdge)
                        << "the order depends on the number of threads";
            }
        }
}

TEST(SurfaceTree, PlacedForSomePointsItFindsThePairsThatHaveOne) {
    const Crumpled c(13, 0.1, 5), other(13, 0.1, 6);
    WorkerPool pool(2, 1);
    for (const int every : {1, 7, 60, 1000}) {
        std::vector<std::uint8_t> changed(c.start.size(), 0);
        std::vector<Vec3> moved = c.moved;
        SurfaceTree tree, fresh;
        tree.build(c.start, c.triangles, c.edges);
        fresh.build(c.start, c.triangles, c.edges);
        tree.place(c.motion(), Crumpled::kPad, pool);
        for (std::size_t i = 3; i < changed.size(); i += std::size_t(every)) {
            changed[i] = 1;
            moved[i] = other.moved[i];
        }
        FeaturePairs all, found;
        findAll(fresh, makeMotion(c.start, moved), all, pool);
        PairList vertexTriangle, edgeEdge;
        for (const auto& [v, t] : all.vertexTriangle) {
            const Triangle& f = c.triangles[t];
            if (changed[v] || changed[f[0]] || changed[f[1]] || changed[f[2]]) vertexTriangle.push_back({v, t});
        }
        for (const auto& [e, f] : all.edgeEdge) {
            const MeshEdge &a = c.edges[e], &b = c.edges[f];
            if (changed[a.a] || changed[a.b] || changed[b.a] || changed[b.b]) edgeEdge.push_back({e, f});
        }
        findAll(tree, makeMotion(c.start, moved), found, pool, changed);
        EXPECT_EQ(sorted(found.vertexTriangle), sorted(vertexTriangle)) << every;
        EXPECT_EQ(sorted(found.edgeEdge), sorted(edgeEdge)) << every;
        EXPECT_GT(found.size(), 0u);
        // Then all pairs, from the same tree.
        findAll(tree, makeMotion(c.start, moved), found, pool);
        EXPECT_EQ(sorted(found.edgeEdge), sorted(all.edgeEdge)) << every;
    }
}

TEST(SurfaceTree, WithAGapItLeavesOutNothingThatComesThatNear) {
    const Crumpled c(13, 0.1, 8);
    WorkerPool pool(2, 1);
    SurfaceTree tree;
    tree.build(c.start, c.triangles, c.edges);
    FeaturePairs all, near;
    findAll(tree, c.motion(), all, pool);
    constexpr double kGap = 0.002;  // twice kPad
    tree.findPairs(c.motion(), Crumpled::kPad, kGap, near, pool);
    EXPECT_LT(near.size(), all.size());
    const auto motion = [&](PairKind kind, const std::array<Index, 4>& corners) {
        PairMotion m{kind, {}, {}};
        for (int k = 0; k < 4; ++k) {
            m.start[k] = c.start[corners[k]];
            m.end[k] = c.end[corners[k]];
        }
        return m;
    };
    const auto check = [&](Index firsts, Index seconds, const PairList& kept, auto&& cornersAt, PairKind kind) {
        const std::set<std::array<Index, 2>> there(kept.begin(), kept.end());
        for (Index first = 0; first < firsts; ++first)
            for (Index second = kind == PairKind::EdgeEdge ? first + 1 : 0; second < seconds; ++second) {
                const std::array<Index, 4> corners = cornersAt(std::array{first, second});
                if (std::set<Index>(corners.begin(), corners.end()).size() < 4 || there.contains({first, second}))
                    continue;
                const PairMotion m = motion(kind, corners);
                for (int step = 0; step <= 16; ++step)
                    ASSERT_GE(closestPoints(kind, m.at(step / 16.0)).distance(), kGap);
            }
    };
    const Index triangles = Index(c.triangles.size()), edges = Index(c.edges.size());
    check(
        Index(c.start.size()), triangles, near.vertexTriangle,
        [&](const auto& pair) {
            const Triangle& t = c.triangles[pair[1]];
            return std::array<Index, 4>{pair[0], t[0], t[1], t[2]};
        },
        PairKind::VertexTriangle);
    check(
        edges, edges, near.edgeEdge,
        [&](const auto& pair) {
            const MeshEdge &e = c.edges[pair[0]], &f = c.edges[pair[1]];
            return std::array<Index, 4>{e.a, e.b, f.a, f.b};
        },
        PairKind::EdgeEdge);
}

TEST(SurfaceTree, LayersThatMoveTogetherAreNoPairs) {
    constexpr int kSide = 9;
    std::vector<Vec3> start, moved;
    std::vector<Triangle> triangles;
    for (const double height : {0.0, 5 * Crumpled::kPad}) {
        for (const Triangle& t : gridTriangles({kSide, kSide})) {
            const Index from = Index(start.size());
            triangles.push_back({t[0] + from, t[1] + from, t[2] + from});
        }
        for (int i = 0; i < kSide * kSide; ++i) {
            start.emplace_back(0.1 * (i / kSide), height, 0.1 * (i % kSide));
            moved.emplace_back(0, 1 + 0.5 * Crumpled::kPad * std::sin(i), 0.05);
        }
    }
    SurfaceTree tree;
    tree.build(start, triangles, collectEdges(triangles, Index(start.size())));
    WorkerPool pool(1);
    FeaturePairs found;
    const auto foundBetween = [&] {
        findAll(tree, makeMotion(start, moved), found, pool);
        return std::ranges::count_if(found.vertexTriangle, [&](const auto& pair) {
            return (pair[0] < kSide * kSide) != (triangles[pair[1]][0] < kSide * kSide);
        });
    };
    EXPECT_EQ(foundBetween(), 0);
    for (std::size_t i = kSide * kSide; i < start.size(); ++i) moved[i].y() -= 4 * Crumpled::kPad;
    EXPECT_GT(foundBetween(), 0);
}

TEST(SurfaceTree, ASurfaceWithoutTrianglesHasNoPairs) {
    SurfaceTree tree;
    tree.build({}, {}, {});
    WorkerPool pool(1);
    tree.place({}, Crumpled::kPad, pool);
    EXPECT_EQ(tree.findPatchPairs(pool), 0);
    FeaturePairs found;
    tree.findPairs({}, Crumpled::kPad, kFar, found, pool);
    EXPECT_EQ(found.size(), 0u);
}

TEST(SurfaceTree, BoxesHoldWhatTheyAreMadeOf) {
    std::mt19937 random(2);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (int k = 0; k < 1000; ++k) {
        const Vec3 a(unit(random), 1e6 * unit(random), 1e-6 * unit(random)), b = a * unit(random);
        const Bounds box = Bounds::around(a, b, 0);
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_LE(double(box.lo[axis]), std::min(a[axis], b[axis]));
            EXPECT_GE(double(box.hi[axis]), std::max(a[axis], b[axis]));
        }
    }
}

TEST(Intersections, FindsAnEdgeThroughATriangleAndNothingElse) {
    const std::vector<Triangle> triangles{{0, 1, 2}, {3, 4, 5}};
    std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.2, 0.2, -1}, {0.2, 0.2, 1}, {5, 5, 1}};
    auto found = findIntersections(points, triangles);
    ASSERT_EQ(found.size(), 2u);  // the short edge goes through the first, and an edge of the first through the second
    EXPECT_EQ(found[0], (Intersection{{3, 4}, 0}));
    EXPECT_EQ(found[1].triangle, 1);
    for (Vec3& p : points) p = p + Vec3(1e3, 1e3, 1e3);
    EXPECT_EQ(findIntersections(points, triangles).size(), 2u);
    points[3].z() = 1e3 + 1e-13;  // its end just above the plane
    EXPECT_EQ(findIntersections(points, triangles).size(), 0u);
}

TEST(Intersections, AgreesWithAllAgainstAllOnACrumpledSheet) {
    const Crumpled c(9, 0.2, 4);
    std::size_t expected = 0;
    for (const MeshEdge& e : c.edges)
        for (const Triangle& t : c.triangles) {
            if (std::ranges::count(t, e.a) + std::ranges::count(t, e.b) > 0) continue;
            Mat3 A;
            A << c.start[e.b] - c.start[e.a], c.start[t[0]] - c.start[t[1]], c.start[t[0]] - c.start[t[2]];
            const Vec3 s = A.inverse() * (c.start[t[0]] - c.start[e.a]);
            expected += s[0] > 0 && s[0] < 1 && s[1] > 0 && s[2] > 0 && s[1] + s[2] < 1;
        }
    EXPECT_GT(expected, 50u);
    EXPECT_EQ(findIntersections(c.start, c.triangles).size(), expected);
}

}  // namespace
}  // namespace clothlab::geometry
