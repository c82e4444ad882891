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

int orientationSign(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
    double magnitude = 0;
    const double rough = volume<double>(a, b, c, d, magnitude);
    if (std::abs(rough) > 1e-14 * magnitude) return rough > 0 ? 1 : -1;
    Wide size = 0;
    const Wide fine = volume<Wide>(a, b, c, d, size);
    return fine > 0 ? 1 : (fine < 0 ? -1 : 0);
}

/// The ends lie on different sides of the triangle's plane, and the line passes all its sides in the same sense.
bool goesThrough(const Vec3& p, const Vec3& q, const Vec3& a, const Vec3& b, const Vec3& c) {
    if (orientationSign(a, b, c, p) * orientationSign(a, b, c, q) >= 0) return false;
    const int first = orientationSign(p, q, a, b);
    return first != 0 && first == orientationSign(p, q, b, c) && first == orientationSign(p, q, c, a);
}

struct Extent {
    Vec3 lo, hi;

    bool meets(const Extent& o) const {
        return (o.lo.array() <= hi.array()).all() && (o.hi.array() >= lo.array()).all();
    }
    bool finite() const { return lo.allFinite() && hi.allFinite(); }
};

using Cell = std::array<Index, 3>;

/// Cubes over all faces, about as wide as one of them and few enough, with the faces that reach into each.
class FaceGrid {
public:
    explicit FaceGrid(std::span<const Extent> faces) {
        Vec3 lo = Vec3::Constant(1e300), hi = -lo;
        double widths = 0;
        for (const Extent& face : faces) {
            if (!face.finite()) continue;
            lo = lo.cwiseMin(face.lo);
            hi = hi.cwiseMax(face.hi);
            widths += (face.hi - face.lo).maxCoeff();
        }
        if (!(lo.array() <= hi.array()).all()) return;
        lo_ = lo;
        width_ = std::max(widths / double(faces.size()), 1e-300);
        const double most = 4 * double(faces.size()) + 64;
        while (((hi - lo) / width_ + Vec3::Ones()).prod() > most) width_ *= 2;
        for (int axis = 0; axis < 3; ++axis) cells_[axis] = 1 + Index((hi[axis] - lo[axis]) / width_);
        first_.assign(std::size_t(cells_[0]) * cells_[1] * cells_[2] + 1, 0);
        forFaceCells(faces, [&](Index, std::size_t cell) { ++first_[cell + 1]; });
        for (std::size_t c = 1; c < first_.size(); ++c) first_[c] += first_[c - 1];
        faces_.resize(std::size_t(first_.back()));
        std::vector<Index> next(first_.begin(), first_.end() - 1);
        forFaceCells(faces, [&](Index face, std::size_t cell) { faces_[next[cell]++] = face; });
    }

    /// f(face) for each face whose box meets that of the line, once: in the cell where the boxes begin to overlap.
    template <class F>
    void forFacesAt(const Extent& line, std::span<const Extent> faces, F&& f) const {
        if (first_.empty() || !line.finite()) return;
        const Cell own = cellAt(line.lo);
        inCells(line, [&](const Cell& cell, std::size_t number) {
            for (Index k = first_[number]; k < first_[number + 1]; ++k) {
                if (!line.meets(faces[faces_[k]])) continue;
                const Cell begin = cellAt(faces[faces_[k]].lo);
                const bool here = cell[0] == std::max(own[0], begin[0]) && cell[1] == std::max(own[1], begin[1]) &&
                                  cell[2] == std::max(own[2], begin[2]);
                if (here) f(faces_[k]);
            }
        });
    }

private:
    Cell cellAt(const Vec3& p) const {
        Cell cell;
        for (int axis = 0; axis < 3; ++axis)
            cell[axis] = Index(std::clamp((p[axis] - lo_[axis]) / width_, 0.0, double(cells_[axis] - 1)));
        return cell;
    }
    template <class F>
    void inCells(const Extent& of, F&& f) const {
        const Cell begin = cellAt(of.lo), last = cellAt(of.hi);
        for (Index x = begin[0]; x <= last[0]; ++x)
            for (Index y = begin[1]; y <= last[1]; ++y)
                for (Index z = begin[2]; z <= last[2]; ++z)
                    f(Cell{x, y, z}, (std::size_t(x) * cells_[1] + y) * cells_[2] + z);
    }
    template <class F>
    void forFaceCells(std::span<const Extent> faces, F&& f) const {
        for (std::size_t k = 0; k < faces.size(); ++k)
            if (faces[k].finite()) inCells(faces[k], [&](const Cell&, std::size_t cell) { f(Index(k), cell); });
    }

    Vec3 lo_ = Vec3::Zero();
    double width_ = 1;
    Cell cells_{};
    std::vector<Index> first_, faces_;  // of each cell, and one more; faces, cell by cell
};

}  // namespace

std::vector<Intersection> findIntersections(std::span<const Vec3> points, std::span<const Triangle> triangles,
                                            std::span<const Index> seam) {
    const auto isSame = [&](Index a, Index b) { return a == b || (!seam.empty() && seam[a] == seam[b]); };
    std::vector<std::array<Index, 2>> edges;
    for (const Triangle& t : triangles)
        for (int c = 0; c < 3; ++c) edges.push_back({std::min(t[c], t[(c + 1) % 3]), std::max(t[c], t[(c + 1) % 3])});
    std::ranges::sort(edges);
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());

    std::vector<Extent> faces;
    for (const auto& [a, b, c] : triangles)
        faces.push_back(
            {points[a].cwiseMin(points[b]).cwiseMin(points[c]), points[a].cwiseMax(points[b]).cwiseMax(points[c])});
    const FaceGrid grid(faces);
    std::vector<Intersection> out;
    for (const std::array<Index, 2>& edge : edges) {
        const Vec3 &p = points[edge[0]], &q = points[edge[1]];
        grid.forFacesAt({p.cwiseMin(q), p.cwiseMax(q)}, faces, [&](Index face) {
            const Triangle& t = triangles[face];
            for (const Index corner : t)
                if (isSame(corner, edge[0]) || isSame(corner, edge[1])) return;
            if (goesThrough(p, q, points[t[0]], points[t[1]], points[t[2]])) out.push_back({edge, face});
        });
    }
    std::ranges::sort(out, [](const Intersection& a, const Intersection& b) {
        return a.triangle != b.triangle ? a.triangle < b.triangle : a.edge < b.edge;
    });
    return out;
}

}  // namespace clothlab::geometry
