#include "geometry/fillings/tetrahedral_mesh.hpp"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace clothlab::geometry {
namespace {

constexpr std::array<Triangle, 4> kOutward{Triangle{0, 2, 1}, Triangle{0, 1, 3}, Triangle{0, 3, 2}, Triangle{1, 2, 3}};

using EdgeEnds = std::pair<Index, Index>;

/// Whether the sides of triangles that lie opposite to a point form one ring.
bool isOneRing(std::span<const EdgeEnds> sides) {
    std::size_t walked = 0;
    Index at = sides.front().first;
    do {
        const auto next = std::ranges::find(sides, at, &EdgeEnds::first);
        if (next == sides.end()) return false;
        at = next->second;
    } while (++walked < sides.size() && at != sides.front().first);
    return walked == sides.size() && at == sides.front().first;
}

}  // namespace

double computeVolume(std::span<const Vec3> points, const Tetrahedron& t) {
    const Vec3 &p = points[t[0]], a = points[t[1]] - p, b = points[t[2]] - p, c = points[t[3]] - p;
    return a.cross(b).dot(c) / 6;
}

double computeQuality(std::span<const Vec3> points, const Tetrahedron& t) {
    double squares = 0;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = i + 1; j < 4; ++j) squares += (points[t[i]] - points[t[j]]).squaredNorm();
    const double mean = squares / 6;
    return mean > 0 ? 6 * std::numbers::sqrt2 * computeVolume(points, t) / (mean * std::sqrt(mean)) : 0;
}

std::vector<Triangle> findBoundary(std::span<const Tetrahedron> tetrahedra) {
    struct Face {
        Triangle sorted, turned;
        std::size_t order;
    };
    std::vector<Face> faces;
    faces.reserve(4 * tetrahedra.size());
    for (const Tetrahedron& t : tetrahedra)
        for (const Triangle& corners : kOutward) {
            const Triangle turned{t[corners[0]], t[corners[1]], t[corners[2]]};
            Triangle sorted = turned;
            std::ranges::sort(sorted);
            faces.push_back({sorted, turned, faces.size()});
        }
    std::ranges::sort(faces, {}, &Face::sorted);
    std::vector<Face> alone;
    for (std::size_t k = 0; k < faces.size();) {
        std::size_t end = k + 1;
        while (end < faces.size() && faces[end].sorted == faces[k].sorted) ++end;
        if (end == k + 1) alone.push_back(faces[k]);
        k = end;
    }
    std::ranges::sort(alone, {}, &Face::order);
    std::vector<Triangle> out;
    out.reserve(alone.size());
    for (const Face& face : alone) out.push_back(face.turned);
    return out;
}

std::vector<std::pair<Index, Index>> collectEdges(std::span<const Tetrahedron> tetrahedra) {
    std::vector<std::pair<Index, Index>> edges;
    edges.reserve(6 * tetrahedra.size());
    for (const Tetrahedron& t : tetrahedra)
        for (std::size_t i = 0; i < 4; ++i)
            for (std::size_t j = i + 1; j < 4; ++j) edges.emplace_back(std::min(t[i], t[j]), std::max(t[i], t[j]));
    std::ranges::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

std::vector<double> volumeShares(const TetrahedralMesh& mesh) {
    std::vector<double> shares(mesh.points.size(), 0.0);
    for (const Tetrahedron& t : mesh.tetrahedra) {
        const double quarter = computeVolume(mesh.points, t) / 4;
        for (const Index corner : t) shares[corner] += quarter;
    }
    return shares;
}

std::array<double, 2> solidTexture(const Vec3& point) {
    const double aside = std::abs(point.z());
    return {point.x() + 0.35 * aside, point.y() - 0.6 * aside};
}

SurfaceFaults findFaults(std::span<const Triangle> triangles, Index points) {
    std::vector<std::vector<EdgeEnds>> around(points);
    std::vector<EdgeEnds> edges;
    for (const Triangle& t : triangles)
        for (std::size_t k = 0; k < 3; ++k) {
            around[t[k]].emplace_back(t[(k + 1) % 3], t[(k + 2) % 3]);
            edges.emplace_back(std::min(t[k], t[(k + 1) % 3]), std::max(t[k], t[(k + 1) % 3]));
        }
    std::ranges::sort(edges);
    SurfaceFaults faults;
    for (std::size_t k = 0; k < edges.size();) {
        std::size_t end = k + 1;
        while (end < edges.size() && edges[end] == edges[k]) ++end;
        if (end != k + 2) faults.edges.push_back(edges[k]);
        k = end;
    }
    for (Index i = 0; i < points; ++i)
        if (!around[i].empty() && !isOneRing(around[i])) faults.points.push_back(i);
    return faults;
}

bool isClosedSphere(std::span<const Triangle> triangles, Index points) {
    if (triangles.empty() || !findFaults(triangles, points).none()) return false;
    std::vector<char> seen(points, 0);
    for (const Triangle& t : triangles)
        for (const Index corner : t) seen[corner] = 1;
    // An edge has two of the triangles' sides.
    return 2 * std::ranges::count(seen, 1) - std::ptrdiff_t(triangles.size()) == 4;
}

std::vector<std::vector<Index>> tetrahedraOfPoints(const TetrahedralMesh& mesh) {
    std::vector<std::vector<Index>> out(mesh.points.size());
    for (std::size_t k = 0; k < mesh.tetrahedra.size(); ++k)
        for (const Index corner : mesh.tetrahedra[k]) out[corner].push_back(Index(k));
    return out;
}

}  // namespace clothlab::geometry
