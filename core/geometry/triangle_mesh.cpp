#include "geometry/triangle_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cassert>
#include <cmath>

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

}  // namespace

std::vector<MeshEdge> edgesOf(std::span<const Triangle> triangles, Index points) {
    std::vector<MeshEdge> edges;
    edges.reserve(2 * triangles.size());
    forEdges(sortSides(triangles, points), [&](Index a, std::span<const Side> sides) {
        assert(sides.size() <= 2);
        edges.push_back({a, sides[0].b, {sides[0].opposite, sides.size() > 1 ? sides[1].opposite : -1}});
    });
    return edges;
}

std::optional<EdgeFault> findEdgeFault(std::span<const Triangle> triangles, Index points) {
    std::optional<EdgeFault> first;
    forEdges(sortSides(triangles, points), [&](Index a, std::span<const Side> sides) {
        const bool alike = sides.size() > 1 && sides[0].forward == sides[1].forward;
        if (sides.size() < 3 && !alike) return;
        const std::size_t late = alike ? 1 : 2;
        if (!first || sides[late].triangle < first->triangle)
            first = EdgeFault{sides[late].triangle, sides[0].triangle, a, sides[0].b, !alike};
    });
    return first;
}

Vec3 areaVector(const Vec3& a, const Vec3& b, const Vec3& c) { return (b - a).cross(c - a); }

bool isDegenerate(const Vec3& a, const Vec3& b, const Vec3& c) {
    constexpr double kFlattest = 1e-9;  // height over the longest side: coordinates have 16 digits, and some are lost
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    return !(areaVector(a, b, c).norm() > kFlattest * longest);
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
