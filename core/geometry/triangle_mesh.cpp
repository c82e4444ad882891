#include "geometry/triangle_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numeric>

namespace clothlab::geometry {
namespace {

/// One side of a triangle, seen as part of the edge a < b.
struct Side {
    Index b, triangle, opposite;
    bool forward;  // the triangle runs from a to b
};

/// The sides of all triangles by a, then b, then triangle.
struct SortedSides {
    std::vector<Index> start;  // sides of a: [start[a], start[a + 1])
    std::vector<Side> sides;
};

SortedSides sortSides(std::span<const Triangle> triangles, Index points) {
    SortedSides out;
    out.start.assign(points + 1, 0);
    const auto forSides = [&](auto&& visit) {
        for (std::size_t t = 0; t < triangles.size(); ++t)
            for (std::size_t k = 0; k < 3; ++k)
                visit(Index(t), triangles[t][k], triangles[t][(k + 1) % 3], triangles[t][(k + 2) % 3]);
    };
    forSides([&](Index, Index from, Index to, Index) { ++out.start[std::min(from, to) + 1]; });
    for (Index i = 0; i < points; ++i) out.start[i + 1] += out.start[i];
    out.sides.resize(3 * triangles.size());
    std::vector<Index> cursor(out.start.begin(), out.start.end() - 1);
    forSides([&](Index t, Index from, Index to, Index opposite) {
        out.sides[cursor[std::min(from, to)]++] = {std::max(from, to), t, opposite, from < to};
    });
    for (Index i = 0; i < points; ++i)
        std::sort(out.sides.begin() + out.start[i], out.sides.begin() + out.start[i + 1],
                  [](const Side& p, const Side& q) { return std::pair(p.b, p.triangle) < std::pair(q.b, q.triangle); });
    return out;
}

/// Calls edge(a, sides of the edge) for every edge.
template <class Edge>
void forEdges(const SortedSides& sorted, Edge&& edge) {
    for (std::size_t a = 0; a + 1 < sorted.start.size(); ++a)
        for (Index k = sorted.start[a]; k < sorted.start[a + 1];) {
            Index end = k + 1;
            while (end < sorted.start[a + 1] && sorted.sides[end].b == sorted.sides[k].b) ++end;
            edge(Index(a), std::span(sorted.sides).subspan(k, std::size_t(end - k)));
            k = end;
        }
}

/// Triangles (or points) in patches, each with whether it is to be turned for it to agree with its patch's root.
class Patches {
public:
    explicit Patches(std::size_t count) : parent_(count), turned_(count, 0) {
        std::iota(parent_.begin(), parent_.end(), Index{0});
    }
    Index root(Index t) {
        Index top = t;
        bool turned = false;
        for (; parent_[top] != top; top = parent_[top]) turned ^= bool(turned_[top]);
        while (parent_[t] != top && t != top) {  // the way becomes short for the next time
            const Index next = parent_[t];
            const bool own = turned_[t];
            parent_[t] = top;
            turned_[t] = turned;
            turned ^= own;
            t = next;
        }
        return top;
    }
    /// After root(t).
    bool isTurned(Index t) const { return turned_[t]; }
    /// False when they hang together already, the other way round.
    bool join(Index a, Index b, bool alike) {
        const Index rootA = root(a), rootB = root(b);
        const bool turn = bool(turned_[a]) ^ bool(turned_[b]) ^ alike;
        if (rootA == rootB) return !turn;
        const auto [low, high] = std::minmax(rootA, rootB);
        parent_[high] = low;
        turned_[high] = turn;
        return true;
    }

private:
    std::vector<Index> parent_;
    std::vector<std::uint8_t> turned_;  // against its parent
};

}  // namespace

std::optional<std::vector<Index>> turnToAgree(std::vector<Triangle>& triangles, Index points) {
    Patches patches(triangles.size());
    bool twoSided = true;
    forEdges(sortSides(triangles, points), [&](Index, std::span<const Side> sides) {
        assert(sides.size() <= 2);
        if (sides.size() == 2)
            twoSided &= patches.join(sides[0].triangle, sides[1].triangle, sides[0].forward == sides[1].forward);
    });
    if (!twoSided) return {};
    std::vector<Index> excess(triangles.size(), 0);  // of each root: triangles that are turned, over those that are not
    for (Index t = 0; t < Index(triangles.size()); ++t) {
        const Index root = patches.root(t);
        excess[root] += patches.isTurned(t) ? 1 : -1;
    }
    std::vector<Index> turned;
    for (Index t = 0; t < Index(triangles.size()); ++t)
        if (patches.isTurned(t) != (excess[patches.root(t)] > 0)) {
            std::swap(triangles[t][1], triangles[t][2]);
            turned.push_back(t);
        }
    return turned;
}

PatchCount countPatches(std::span<const Triangle> triangles, Index points) {
    Patches patches{triangles.size()}, border{std::size_t(points)};
    std::vector<bool> onBorder(std::size_t(points), false);
    forEdges(sortSides(triangles, points), [&](Index a, std::span<const Side> sides) {
        for (const Side& side : sides) patches.join(sides[0].triangle, side.triangle, false);
        if (sides.size() > 1) return;
        border.join(a, sides[0].b, false);
        onBorder[a] = onBorder[sides[0].b] = true;
    });
    PatchCount count;
    for (Index t = 0; t < Index(triangles.size()); ++t) count.components += patches.root(t) == t;
    for (Index i = 0; i < points; ++i) count.boundaryLoops += onBorder[i] && border.root(i) == i;
    return count;
}

std::vector<MeshEdge> collectEdges(std::span<const Triangle> triangles, Index points) {
    std::vector<MeshEdge> edges;
    edges.reserve(2 * triangles.size());
    forEdges(sortSides(triangles, points), [&](Index a, std::span<const Side> sides) {
        assert(sides.size() <= 2);
        edges.push_back({a, sides[0].b, {sides[0].opposite, sides.size() > 1 ? sides[1].opposite : -1}});
    });
    return edges;
}

std::optional<EdgeFault> findEdgeFault(std::span<const Triangle> triangles, Index points, EdgeFaults which) {
    std::optional<EdgeFault> first;
    forEdges(sortSides(triangles, points), [&](Index a, std::span<const Side> sides) {
        const bool alike = which == EdgeFaults::All && sides.size() > 1 && sides[0].forward == sides[1].forward;
        if (sides.size() < 3 && !alike) return;
        const std::size_t late = alike ? 1 : 2;
        if (!first || sides[late].triangle < first->triangle)
            first = EdgeFault{sides[late].triangle, sides[0].triangle, a, sides[0].b, !alike};
    });
    return first;
}

Vec3 areaVector(const Vec3& a, const Vec3& b, const Vec3& c) { return (b - a).cross(c - a); }

bool isDegenerate(const Vec3& a, const Vec3& b, const Vec3& c) {
    constexpr double kFlat = 1e-9;  // height over the longest side: coordinates have 16 digits, and some are lost
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return !(areaVector(a, b, c).norm() > kFlat * longest);
}

std::vector<Vec3> pointNormals(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    std::vector<Vec3> normals(points.size(), Vec3::Zero());
    for (const Triangle& t : triangles) {
        const Vec3 area = areaVector(points[t[0]], points[t[1]], points[t[2]]);
        for (const Index corner : t) normals[corner] += area;
    }
    for (Vec3& n : normals) {
        const double length = n.norm();
        n = length > 0 ? Vec3(n / length) : Vec3::UnitY();
    }
    return normals;
}

std::vector<TextureCoordinate> planarTextures(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    Vec3 normal = Vec3::Zero();
    double area = 0;
    for (const Triangle& t : triangles) {
        const Vec3 twice = areaVector(points[t[0]], points[t[1]], points[t[2]]);
        normal += twice;
        area += twice.norm();
    }
    // A closed surface has no mean normal, only what rounding leaves of it.
    normal = normal.norm() > 1e-6 * area ? Vec3(normal.normalized()) : Vec3::UnitZ();
    const Vec3 across = std::abs(normal.x()) < 0.9 ? Vec3::UnitX() : Vec3::UnitY();
    const Vec3 u = (across - across.dot(normal) * normal).normalized(), v = normal.cross(u);
    std::vector<TextureCoordinate> out;
    out.reserve(points.size());
    for (const Vec3& p : points) out.push_back({u.dot(p), v.dot(p)});
    return out;
}

}  // namespace clothlab::geometry
