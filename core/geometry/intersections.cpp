#include "geometry/intersections.hpp"

#include <algorithm>
#include <cmath>

namespace clothlab::geometry {
namespace {

#if __LDBL_MANT_DIG__ >= 113
using Wide = long double;
#else
__extension__ using Wide = __float128;
#endif

/// Six times the volume over a, b, c and d, and the sum of the magnitudes of its products.
template <class T>
T volume(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d, T& magnitude) {
    T u[3][3];
    for (int axis = 0; axis < 3; ++axis) {
        u[0][axis] = T(a[axis]) - T(d[axis]);
        u[1][axis] = T(b[axis]) - T(d[axis]);
        u[2][axis] = T(c[axis]) - T(d[axis]);
    }
    const auto size = [](T v) { return v < 0 ? -v : v; };
    T sum = 0;
    magnitude = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const int next = (axis + 1) % 3, last = (axis + 2) % 3;
        const T plus = u[1][next] * u[2][last], minus = u[1][last] * u[2][next];
        sum += u[0][axis] * (plus - minus);
        magnitude += size(u[0][axis]) * (size(plus) + size(minus));
    }
    return sum;
}

int sideOf(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    double magnitude = 0;
    const double rough = volume<double>(a, b, c, d, magnitude);
    if (std::abs(rough) > 1e-14 * magnitude) return rough > 0 ? 1 : -1;
    Wide size = 0;
    const Wide fine = volume<Wide>(a, b, c, d, size);
    return fine > 0 ? 1 : (fine < 0 ? -1 : 0);
}

/// The ends lie on different sides of the triangle's plane, and the line passes all its sides in the same sense.
bool goesThrough(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
    if (sideOf(a, b, c, p) * sideOf(a, b, c, q) >= 0) return false;
    const int first = sideOf(p, q, a, b);
    return first != 0 && first == sideOf(p, q, b, c) && first == sideOf(p, q, c, a);
}

struct Extent {
    Vec3 lo, hi;
    Index id;
};

}  // namespace

std::vector<Intersection> findIntersections(std::span<const Vec3> points, std::span<const Triangle> triangles) {
    std::vector<std::array<Index, 2>> edges;
    for (const Triangle& t : triangles)
        for (int c = 0; c < 3; ++c) edges.push_back({std::min(t[c], t[(c + 1) % 3]), std::max(t[c], t[(c + 1) % 3])});
    std::ranges::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());

    std::vector<Extent> faces, lines;
    Vec3 lo = Vec3::Constant(1e300), hi = -lo;
    for (std::size_t t = 0; t < triangles.size(); ++t) {
        const Vec3 &a = points[triangles[t][0]], &b = points[triangles[t][1]], &c = points[triangles[t][2]];
        faces.push_back({a.cwiseMin(b).cwiseMin(c), a.cwiseMax(b).cwiseMax(c), Index(t)});
        lo = lo.cwiseMin(faces.back().lo);
        hi = hi.cwiseMax(faces.back().hi);
    }
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const Vec3 &a = points[edges[e][0]], &b = points[edges[e][1]];
        lines.push_back({a.cwiseMin(b), a.cwiseMax(b), Index(e)});
    }
    int axis = 0;
    (hi - lo).maxCoeff(&axis);
    const auto before = [axis](const Extent& a, const Extent& b) { return a.lo[axis] < b.lo[axis]; };
    std::ranges::sort(faces, before);
    std::ranges::sort(lines, before);
    double widest = 0;
    for (const Extent& face : faces) widest = std::max(widest, face.hi[axis] - face.lo[axis]);

    std::vector<Intersection> out;
    std::size_t firstFace = 0;
    for (const Extent& line : lines) {
        while (firstFace < faces.size() && faces[firstFace].lo[axis] + widest < line.lo[axis]) ++firstFace;
        for (std::size_t k = firstFace; k < faces.size() && faces[k].lo[axis] <= line.hi[axis]; ++k) {
            const Extent& face = faces[k];
            if (!((face.lo.array() <= line.hi.array()).all() && (face.hi.array() >= line.lo.array()).all())) continue;
            const Triangle& t = triangles[face.id];
            const auto [p, q] = edges[line.id];
            if (std::ranges::count(t, p) + std::ranges::count(t, q) > 0) continue;
            if (goesThrough(points[p], points[q], points[t[0]], points[t[1]], points[t[2]]))
                out.push_back({edges[line.id], face.id});
        }
    }
    std::ranges::sort(out, [](const Intersection& a, const Intersection& b) {
        return a.triangle != b.triangle ? a.triangle < b.triangle : a.edge < b.edge;
    });
    return out;
}

}  // namespace clothlab::geometry
